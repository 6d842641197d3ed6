import type { Millis, ValidSpan } from './memory-state.js';

/** Half-open: an interval that ends when it starts holds nothing. */
export function holdsAt(span: ValidSpan, at: Millis): boolean {
  return span.from <= at && at < span.to;
}

/**
 * Says that `next` holds over its interval: whatever overlaps is cut there, and split in two where `next` lies inside.
 * An empty interval (to ≤ from) changes nothing. (SQL:2011 FOR PORTION OF semantics.)
 * @param before disjoint, in any order; the result is ordered by `from`
 */
export function assign(before: readonly ValidSpan[], next: ValidSpan): ValidSpan[] {
  const spans = inOrder(before);
  if (next.to <= next.from) return [...spans];
  const first = count(spans, ({ to }) => to <= next.from);
  const after = count(spans, ({ from }) => from < next.to);
  const cut: ValidSpan[] = [];
  const head = spans[first];
  if (head && head.from < next.from) cut.push({ ...head, to: next.from });
  cut.push(next);
  const tail = spans[after - 1];
  if (tail && tail.to > next.to) cut.push({ ...tail, from: next.to });
  // A slot that is written every minute has thousands of spans: they are copied as a block, and spliced.
  const result = spans.slice();
  result.splice(first, after - first, ...cut);
  return result;
}

/** Ordered by `from`; the list itself when it is already. */
export function inOrder(spans: readonly ValidSpan[]): readonly ValidSpan[] {
  for (let i = 1; i < spans.length; i++)
    if (spans[i - 1]!.from > spans[i]!.from) return [...spans].sort((one, other) => one.from - other.from);
  return spans;
}

/** How many spans from the start on have a property that those after them lack: a binary search. */
function count(spans: readonly ValidSpan[], has: (span: ValidSpan) => boolean): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (has(spans[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}
