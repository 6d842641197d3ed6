import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Backed, backupLines } from '#ledger/backup-lines.js';
import { writeBundle } from '#sealing/key-copy.js';
import { writeWhole } from '#sealing/write-whole.js';
import type { Stores } from '../migrate/stores.js';

export interface BackupMade extends Backed {
  readonly file: string;
  readonly keys: string;
  readonly ledger: string;
  readonly epoch: number;
}

/**
 * Events first, then the keys: so the copy of the keys has one for every event. Both are whole or not there; the ledger is written to all
 * the while. The master key goes in neither.
 * @param target a file, or a folder that gets files named after the ledger and the moment
 * @param options.onlyNew no file that is there is replaced
 * @throws HindsightError disk_full · not_writable · invalid_input with `onlyNew`, when one of the files is there
 */
export async function createBackup(
  { place, keys }: Pick<Stores, 'place' | 'keys'>,
  target: string,
  now: () => number,
  options: {
    readonly onProgress?: (events: number) => void;
    readonly signal?: AbortSignal;
    readonly onlyNew?: boolean;
  } = {},
): Promise<BackupMade> {
  const { ledger } = place;
  const made = new Date(now()).toISOString();
  const file = backupFile(target, ledger.id, made);
  const found = { events: 0, bytes: 0 };
  const lines = async function* () {
    Object.assign(found, yield* backupLines(ledger, made, options));
  };
  const { onlyNew = false } = options;
  await writeWhole(file, lines(), { onlyNew });
  const epoch = await writeBundle(keys.keyStore, keysOf(file), ledger.id, now(), { onlyNew });
  return { ...found, file, keys: keysOf(file), ledger: ledger.id, epoch };
}

/** Where the copy of the keys stands beside a backup. */
export function keysOf(file: string): string {
  return `${file}.keys`;
}

function backupFile(target: string, ledger: string, made: string): string {
  const path = resolve(target);
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  return join(path, `hindsight-ledger-${ledger}-${made.replace(/[-:]|\.\d+/g, '')}.events`);
}
