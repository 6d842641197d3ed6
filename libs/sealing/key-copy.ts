import { stat } from 'node:fs/promises';
import { HindsightError } from '#contract/errors.js';
import { encodeBundle, takeBundle } from './key-bundle.js';
import type { KeyStore } from './key-store.js';
import { tryToWrite, writeWhole } from './write-whole.js';

/** The copy of the wrapped keys that does not outlive what was erased: one from before the master key moved is of no use, and a danger. */
export interface KeyCopy {
  /** @throws HindsightError key_backup_needed · not_writable: before anything is destroyed */
  check(keyStore: KeyStore): Promise<void>;
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
  return {
    async check(keyStore) {
      if (file === 'none') return;
      if (renewed !== undefined) return writable(renewed);
      const last = await keyStore.lastBundle();
      if (!last) return;
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

/** Tried, not asked: who may write everything may still not write there. */
async function writable(file: string): Promise<void> {
  const refuse = (why: string, cause?: unknown): HindsightError =>
    new HindsightError(
      'not_writable',
      `The copy of the keys cannot be made anew at ${file}, so nothing is destroyed: ${why}. Accepted: a file in a folder that is there, and that may be written to.`,
      { file },
      { cause },
    );
  const there = await stat(file).catch(() => undefined);
  if (there && !there.isFile()) throw refuse(`it is ${there.isDirectory() ? 'a folder' : 'no file'}`);
  await tryToWrite(file).catch((cause: Error) => {
    throw refuse(cause.message, cause);
  });
}
