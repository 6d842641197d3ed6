import { stat } from 'node:fs/promises';
import { HindsightError } from '#contract/errors.js';
import { encodeBundle, ledgerOfBundle, takeBundle } from './key-bundle.js';
import type { KeyStore } from './key-store.js';
import { tryToWrite, writeWhole } from './write-whole.js';

/** The copy of the wrapped keys that does not outlive what was erased: one from before the master key moved is of no use, and a danger. */
export interface KeyCopy {
  /** `none` where whoever made this said that no copy is wanted. */
  readonly wanted?: 'none' | undefined;
  /**
   * @param wanted `none` where whoever ordered what is to be destroyed wants no copy: one that would be made anew here is made all the same
   * @throws HindsightError key_backup_needed · not_writable · invalid_config where another file is there: before anything is destroyed
   */
  check(keyStore: KeyStore, wanted?: 'none'): Promise<void>;
  /** Puts the copy of today in the place of the former. */
  renew(keyStore: KeyStore): Promise<void>;
}

export interface KeyCopyOptions {
  /** The file that is made anew each time; `none`: no copy, and whoever made one knows; undefined: none so far. */
  readonly file: string | undefined;
  readonly ledger: string;
  readonly now: () => number;
}

export function keyCopy({ file, ledger, now }: KeyCopyOptions): KeyCopy {
  const renewed = file === 'none' ? undefined : file;
  const wanted = file === 'none' ? file : undefined;
  return {
    wanted,
    async check(keyStore, ordered = wanted) {
      const last = await keyStore.lastBundle();
      if (renewed !== undefined) return mayReplace(renewed, { ledger, isOurs: last?.place === renewed });
      if (!last || ordered === 'none') return;
      throw new HindsightError(
        'key_backup_needed',
        `A copy of the keys was made (${last.place}, ${last.made}): the new master key will not open it, so another one is needed at once, and nobody said where to.`,
        { place: last.place, made: last.made },
      );
    },
    async renew(keyStore) {
      if (renewed !== undefined) await writeBundle(keyStore, renewed, ledger, now());
    },
  };
}

/**
 * Writes a bundle of the keys of today, and remembers that it was made.
 * @param options.onlyNew as `writeWhole` has it
 * @returns its epoch
 */
export async function writeBundle(
  keyStore: KeyStore,
  file: string,
  ledger: string,
  now: number,
  options: { readonly onlyNew?: boolean } = {},
): Promise<number> {
  const made = new Date(now).toISOString();
  const bundle = await takeBundle(keyStore, ledger, made);
  await writeWhole(file, [encodeBundle(bundle)], options);
  const { epoch } = bundle.epoch;
  await keyStore.noteBundle({ epoch, made, place: file });
  return epoch;
}

/**
 * Whether the copy may be put there. Tried, not asked: who may write everything may still not write there. What is there and is not a copy
 * of this ledger's keys stays: who names a file seldom looks, and it may be the only copy of another home's.
 */
async function mayReplace(file: string, { ledger, isOurs }: { ledger: string; isOurs: boolean }): Promise<void> {
  const refuse = (why: string, cause?: unknown): HindsightError =>
    new HindsightError(
      'not_writable',
      `The copy of the keys cannot be made anew at ${file}, so nothing is destroyed: ${why}. Accepted: a file in a folder that is there, and that may be written to.`,
      { file },
      { cause },
    );
  const there = await stat(file).catch(() => undefined);
  if (there && !there.isFile()) throw refuse(`it is ${there.isDirectory() ? 'a folder' : 'no file'}`);
  if (there && there.size > 0) {
    const of = await ledgerOfBundle(file);
    // A copy that this home made, and that was damaged since, says of no ledger that it is its own.
    if (of === undefined ? !isOurs : of !== ledger) throw otherFile(file, of, ledger);
  }
  await tryToWrite(file).catch((cause: Error) => {
    throw refuse(cause.message, cause);
  });
}

function otherFile(file: string, of: string | undefined, ledger: string): HindsightError {
  const what = of === undefined ? 'no copy of keys' : `a copy of the keys of another ledger (${of})`;
  return new HindsightError(
    'invalid_config',
    `The copy of the keys is to be made anew at ${file}, where a file is already that is ${what}: it would be lost. Nothing is destroyed. Accepted: a file that is not there yet, or a former copy of the keys of this ledger (${ledger}).`,
    { file },
  );
}
