import type { Columns } from './columns.js';

/** What is asked about: what the ledger knew at moment `seq` of any time in [from, to), in milliseconds. */
export interface Point {
  readonly seq: number;
  readonly from: number;
  readonly to: number;
}

/** A doc's standing at a point. Above `unknown`, a higher one says more about it than a lower one. */
export const standing = {
  /** Not written yet. */
  unknown: 0,
  /** What it said was taken back or cut away. */
  closed: 1,
  /** True only later. */
  future: 2,
  /** True only earlier. */
  ended: 3,
  retracted: 4,
  current: 5,
  expired: 6,
} as const;

/** How every doc stands at a point, and which of its spans says so. */
export interface Visibility {
  readonly point: Point;
  readonly standing: Uint8Array;
  readonly span: Int32Array;
  /** 1 for each doc that is current. */
  readonly isCurrent: Uint8Array;
  /** The same answer holds for moments from `since` (inclusive) to `until` (exclusive). */
  readonly since: number;
  readonly until: number;
  /** Current docs, and the sum of their lengths. */
  readonly count: number;
  readonly totalLength: number;
}

/** At one moment of valid time. */
export function pointAt(seq: number, millis: number): Point {
  return { seq, from: millis, to: millis + 1 };
}

/** One pass over all spans. Independent of the order in which they were loaded. */
export function visibilityAt(columns: Columns, point: Point): Visibility {
  const { seq, from, to } = point;
  const { spanDoc, seqFrom, seqTo, validFrom, validTo, retracted, expiresAt } = columns;
  const found = new Uint8Array(columns.docs);
  const span = new Int32Array(columns.docs).fill(-1);
  let since = -Infinity;
  let until = Infinity;
  const boundary = (millis: number): void => {
    if (millis <= from) since = Math.max(since, millis);
    else until = Math.min(until, millis);
  };
  for (let at = 0; at < columns.spans; at++) {
    if (seqFrom[at]! > seq) continue;
    const doc = spanDoc[at]!;
    if (doc >= columns.docs) continue;
    let code: number = standing.closed;
    if (seqTo[at]! > seq) {
      const begins = validFrom[at]!;
      const ends = validTo[at]!;
      boundary(begins);
      if (ends !== Infinity) boundary(ends);
      if (retracted[at]) code = standing.retracted;
      else if (ends <= from) code = standing.ended;
      else if (begins >= to) code = standing.future;
      else {
        const expires = expiresAt[doc]!;
        if (expires !== Infinity) boundary(expires);
        code = expires <= Math.max(from, begins) ? standing.expired : standing.current;
      }
    }
    if (code > found[doc]! || (code === found[doc] && isBefore(columns, at, span[doc]!, code))) {
      found[doc] = code;
      span[doc] = at;
    }
  }
  const isCurrent = new Uint8Array(columns.docs);
  let count = 0;
  let totalLength = 0;
  for (let doc = 0; doc < found.length; doc++) {
    if (found[doc] !== standing.current) continue;
    isCurrent[doc] = 1;
    count++;
    totalLength += columns.length[doc]!;
  }
  return { point, standing: found, span, isCurrent, since, until, count, totalLength };
}

/** Of spans that say the same, the earliest stands for the doc; of closed ones, the latest known. */
function isBefore(columns: Columns, one: number, other: number, code: number): boolean {
  const { seqFrom, validFrom } = columns;
  if (code === standing.closed && seqFrom[one] !== seqFrom[other]) return seqFrom[one]! > seqFrom[other]!;
  return validFrom[one]! < validFrom[other]!;
}
