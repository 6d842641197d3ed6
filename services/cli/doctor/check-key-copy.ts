import { readFile } from 'node:fs/promises';
import { isHindsightError } from '#contract/errors.js';
import { decodeBundle } from '#sealing/key-bundle.js';
import type { BundleNote, KeyStore, StoredEpoch } from '#sealing/key-store.js';
import { type Looked, warning, well } from './finding.js';

const makeAnother = 'Run: hindsight-ledger backup create.';

/**
 * Whether the last copy of the wrapped keys still opens, is where it was put, and is of these keys; nothing where none was ever made.
 * Warnings, all of them: what is in use is whole.
 */
export async function checkKeyCopy(keyStore: Pick<KeyStore, 'epoch' | 'lastBundle'>): Promise<Looked[]> {
  const last = await keyStore.lastBundle();
  const stored = await keyStore.epoch();
  if (!last || !stored) return [];
  if (last.epoch === stored.epoch) return [await lookedInto(last, stored)];
  return [
    warning(
      'backup',
      `the last copy of the keys (${last.place}, ${last.made}) is older than the last erasure or rotation: the master key of today does not open it`,
      `${makeAnother} Set HINDSIGHT_LEDGER_KEY_BACKUP to have the keys copied anew each time. Let go of the older copies.`,
    ),
  ];
}

async function lookedInto(last: BundleNote, stored: StoredEpoch): Promise<Looked> {
  const { place, made } = last;
  const copy = `the last copy of the keys (${place}, ${made})`;
  let text: string;
  try {
    text = await readFile(place, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isGone = code === 'ENOENT' || code === 'ENOTDIR';
    return warning(
      'backup',
      isGone ? `${copy} is not there` : `${copy} cannot be read: ${message}`,
      `Moved on purpose, or on another machine, it is as good there: nothing is to be done. Otherwise: ${makeAnother}`,
    );
  }
  const found = foundIn(text, place);
  if (typeof found === 'string') return warning('backup', `${copy} is not what was put there: ${found}`, makeAnother);
  // The check is made of the master key: no two ledgers have the same.
  if (Buffer.compare(found.epoch.check, stored.check) !== 0)
    return warning(
      'backup',
      `${copy} is not what was put there: it holds keys of another home (of ledger ${found.ledger}), or of another master key`,
      makeAnother,
    );
  if (found.made < made)
    return warning('backup', `${copy} is not what was put there: that one was made ${found.made}`, makeAnother);
  return well('backup', `keys copied ${made} to ${place}`);
}

function foundIn(text: string, place: string): ReturnType<typeof decodeBundle> | string {
  try {
    return decodeBundle(text, place);
  } catch (error) {
    if (!isHindsightError(error)) throw error;
    return error.message;
  }
}
