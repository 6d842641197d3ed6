import { readFileSync, statSync, writeFileSync } from 'node:fs';
import type { Position } from './ledger.js';

/** What was found wrong with a ledger's file. While it is noted, every process refuses to write and goes on reading. */
export interface Damage {
  /** ISO 8601: when it was noticed. */
  readonly at: string;
  /** One sentence for a person. */
  readonly what: string;
  /** The first event known to be affected; absent when that cannot be told. */
  readonly position?: Position;
  /** The last event known to be affected. */
  readonly through?: Position;
}

/** The note lies beside the ledger and not in it, because the file can no longer be trusted to take a write. */
function noteBeside(path: string): string {
  return `${path}.damaged`;
}

/**
 * Notes a damage of the ledger at `path`; the first note is kept. Where nothing can be written beside the ledger it does nothing:
 * nor can anybody write to the ledger there.
 */
export function markDamaged(path: string, damage: Damage): void {
  try {
    writeFileSync(noteBeside(path), `${JSON.stringify(damage, null, 2)}\n`, { flag: 'wx' });
  } catch (error) {
    if (!['EEXIST', 'EROFS', 'EACCES', 'ENOSPC'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** Costs 2 µs while there is none. */
export function readDamage(path: string): Damage | undefined {
  const note = noteBeside(path);
  if (!statSync(note, { throwIfNoEntry: false })) return undefined;
  try {
    return JSON.parse(readFileSync(note, 'utf8')) as Damage;
  } catch {
    return { at: new Date(0).toISOString(), what: `${note} is there but cannot be read.` };
  }
}
