import { type Columns, spanStatus } from './columns.js';

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
  /** Laid aside. */
  archived: 7,
  /** Held back until a reviewer has looked. */
  quarantined: 8,
  /** It cannot be opened any more, whatever it was before: at every moment since it was written. */
  erased: 9,
} as const;

/** What a span's status makes of a doc, whatever valid time is asked about; 0 where that decides. */
export const aside = new Uint8Array(5);
aside[spanStatus.retracted] = standing.retracted;
aside[spanStatus.archived] = standing.archived;
aside[spanStatus.quarantined] = standing.quarantined;

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

/** How every doc stands at a point: one pass. Independent of the order in which spans were loaded. */
export function visibilityAt(columns: Columns, point: Point): Visibility {
  const drawn = draft(columns.docs);
  const judgement = { since: -Infinity, until: Infinity, code: 0, span: -1 };
  for (let doc = 0; doc < columns.docs; doc++) judge(columns, point, doc, judgement, drawn);
  return finished(columns, point, drawn, judgement);
}

/**
 * The same for a later moment of the ledger and of time, when only the spans of these docs have changed and no boundary of
 * what was there before lies between the two.
 */
export function advanced(before: Visibility, columns: Columns, point: Point, changed: Iterable<number>): Visibility {
  const drawn = draft(columns.docs);
  drawn.standing.set(before.standing);
  drawn.span.set(before.span);
  const judgement = { since: before.since, until: before.until, code: 0, span: -1 };
  for (const doc of changed) if (doc < columns.docs) judge(columns, point, doc, judgement, drawn);
  return finished(columns, point, drawn, judgement);
}

interface Draft {
  readonly standing: Uint8Array;
  readonly span: Int32Array;
}

/** Written anew for each doc, but for the bounds, which narrow. */
interface Judgement {
  since: number;
  until: number;
  code: number;
  span: number;
}

function draft(docs: number): Draft {
  return { standing: new Uint8Array(docs), span: new Int32Array(docs).fill(-1) };
}

function judge(columns: Columns, point: Point, doc: number, judgement: Judgement, { standing, span }: Draft): void {
  judgement.code = 0;
  judgement.span = -1;
  for (let at = columns.newestSpan[doc]!; at >= 0; at = columns.earlierSpan[at]!) {
    if (columns.seqFrom[at]! > point.seq) continue;
    const code = codeOf(columns, point, doc, at, judgement);
    if (code < judgement.code || (code === judgement.code && !isBefore(columns, at, judgement.span, code))) continue;
    judgement.code = code;
    judgement.span = at;
  }
  standing[doc] = judgement.code;
  span[doc] = judgement.span;
}

function codeOf(columns: Columns, { seq, from, to }: Point, doc: number, at: number, judgement: Judgement): number {
  const status = columns.status[at]!;
  if (status === spanStatus.erased) return standing.erased;
  if (columns.seqTo[at]! <= seq) return standing.closed;
  const begins = columns.validFrom[at]!;
  const ends = columns.validTo[at]!;
  narrow(judgement, from, begins);
  narrow(judgement, from, ends);
  if (aside[status]) return aside[status]!;
  if (ends <= from) return standing.ended;
  const expires = columns.expiresAt[doc]!;
  narrow(judgement, from, expires);
  if (begins >= to) return standing.future;
  return expires <= Math.max(from, begins) ? standing.expired : standing.current;
}

function narrow(judgement: Judgement, from: number, boundary: number): void {
  if (boundary <= from) {
    if (boundary > judgement.since) judgement.since = boundary;
  } else if (boundary < judgement.until) judgement.until = boundary;
}

function finished(columns: Columns, point: Point, { standing: found, span }: Draft, bounds: Judgement): Visibility {
  const isCurrent = new Uint8Array(found.length);
  const { length } = columns;
  let count = 0;
  let totalLength = 0;
  for (let doc = 0; doc < found.length; doc++) {
    if (found[doc] !== standing.current) continue;
    isCurrent[doc] = 1;
    count++;
    totalLength += length[doc]!;
  }
  const { since, until } = bounds;
  return { point, standing: found, span, isCurrent, since, until, count, totalLength };
}

/** Of spans that say the same, the earliest stands for the doc; of closed ones, the latest known. */
function isBefore({ seqFrom, validFrom }: Columns, one: number, other: number, code: number): boolean {
  if (code === standing.closed && seqFrom[one] !== seqFrom[other]) return seqFrom[one]! > seqFrom[other]!;
  return validFrom[one]! < validFrom[other]!;
}
