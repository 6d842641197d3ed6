import { readDamage } from '../damage.js';
import type { Position } from '../ledger.js';
import { fromPosition, toPosition } from './columns.js';

export interface Gap {
  readonly first: Position;
  readonly last: Position;
}

/**
 * For `verifyLedger` over the ledger at `path`: the positions that are missing between two events that follow each other, before
 * the first, or after the last one that can be read. SQLite numbers rows 1, 2, …, one by one under the write lock, and none is ever
 * taken back: a number that is not there belongs to an event that is gone or cannot be read.
 */
export function gapsIn(path: string): (before: Position | undefined, after: Position | undefined) => Gap | undefined {
  // What is asked about next begins, nearly always, where this ended.
  let text: Position | undefined;
  let row = 0;
  const rowOf = (position: Position) => {
    if (position !== text) {
      text = position;
      row = fromPosition(position);
    }
    return row;
  };
  return (before, after) => {
    const first = before === undefined ? 1 : rowOf(before) + 1;
    const end = after ?? readDamage(path)?.through;
    if (end === undefined) return undefined;
    const last = after === undefined ? rowOf(end) : rowOf(end) - 1;
    return last < first ? undefined : { first: toPosition(first), last: toPosition(last) };
  };
}
