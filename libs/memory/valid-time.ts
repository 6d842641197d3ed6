import type { Millis, ValidSpan } from './memory-state.js';

/** Half-open: an interval that ends when it starts holds nothing. */
export function holdsAt(span: ValidSpan, at: Millis): boolean {
  return span.from <= at && at < span.to;
}

/**
 * Says that `next` holds over its interval: whatever overlaps is cut there, and split in two where `next` lies inside.
 * The result is disjoint and ordered. An empty interval (to ≤ from) changes nothing. (SQL:2011 FOR PORTION OF semantics.)
 */
export function assign(spans: readonly ValidSpan[], next: ValidSpan): ValidSpan[] {
  if (next.to <= next.from) return [...spans];
  const result: ValidSpan[] = [];
  for (const span of spans) {
    if (span.to <= next.from || span.from >= next.to) {
      result.push(span);
      continue;
    }
    if (span.from < next.from) result.push({ ...span, to: next.from });
    if (span.to > next.to) result.push({ ...span, from: next.to });
  }
  result.push(next);
  return result.sort((one, other) => one.from - other.from);
}
