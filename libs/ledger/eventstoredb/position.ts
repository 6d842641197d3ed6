import type { Position as LogPosition } from '@eventstore/db-client';
import type { Position } from '../ledger.js';

/** Positions of the log are 64-bit integers with a sign; an older server sends 2^64 - 1 where it has none to tell. */
const largest = 2n ** 63n - 1n;
const digits = String(largest).length;

/** Commit and prepare, both: with one alone a filtered subscription cannot be resumed. Of one width, so that they sort as text. */
export function toPosition({ commit, prepare }: LogPosition): Position {
  if (commit > largest || prepare > largest) {
    throw new RangeError(`Commit ${commit} and prepare ${prepare} are no position in EventStoreDB's log.`);
  }
  return `${text(commit)}.${text(prepare)}`;
}

export function fromPosition(position: Position): LogPosition {
  const match = /^(\d{19})\.(\d{19})$/.exec(position);
  if (!match) {
    throw new TypeError(
      `${JSON.stringify(position)} is no position of an EventStoreDB ledger: 19 digits, a dot and 19 digits.`,
    );
  }
  return { commit: BigInt(match[1]!), prepare: BigInt(match[2]!) };
}

function text(part: bigint): string {
  return part.toString().padStart(digits, '0');
}
