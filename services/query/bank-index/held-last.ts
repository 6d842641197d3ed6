import { type Columns, spanStatus } from './columns.js';
import { standing, type Visibility } from './visibility.js';

/** Whether time is asked about in which a memory may have had several versions, one after the other. */
export function isStretch({ point }: Visibility): boolean {
  return point.to > point.from + 1;
}

const replaced = new WeakMap<Visibility, ReadonlySet<number>>();

/**
 * Whether a version held within the time that is asked about, and another version of its memory held later within it. At a moment there is
 * none; for a stretch of time one pass over the docs tells all, once.
 */
export function isReplacedWithin(columns: Columns, at: Visibility, doc: number): boolean {
  if (!isStretch(at) || at.standing[doc] !== standing.current) return false;
  let docs = replaced.get(at);
  if (!docs) {
    docs = replacedWithin(columns, at);
    replaced.set(at, docs);
  }
  return docs.has(doc);
}

function replacedWithin(columns: Columns, at: Visibility): ReadonlySet<number> {
  const last = new Map<number, { readonly doc: number; readonly began: number }>();
  const docs = new Set<number>();
  for (let doc = 0; doc < at.standing.length; doc++) {
    const memory = columns.memory[doc]!;
    if (at.standing[doc] !== standing.current || memory < 0) continue;
    const began = lastBegan(columns, at, doc);
    const before = last.get(memory);
    if (before && before.began >= began) {
      docs.add(doc);
      continue;
    }
    if (before) docs.add(before.doc);
    last.set(memory, { doc, began });
  }
  return docs;
}

/** When the last of the stretches began in which a version held within the time asked about: one that was cut in two may hold again. */
function lastBegan(columns: Columns, { point: { seq, from, to } }: Visibility, doc: number): number {
  let latest = -Infinity;
  for (let span = columns.newestSpan[doc]!; span >= 0; span = columns.earlierSpan[span]!) {
    const isKnown = columns.seqFrom[span]! <= seq && seq < columns.seqTo[span]!;
    if (!isKnown || columns.status[span] !== spanStatus.current) continue;
    const begins = columns.validFrom[span]!;
    if (begins < to && columns.validTo[span]! > from && columns.expiresAt[doc]! > Math.max(from, begins))
      latest = Math.max(latest, begins);
  }
  return latest;
}
