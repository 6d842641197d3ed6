import type { ValidSpan } from './memory-state.js';
import { inOrder } from './valid-time.js';

/**
 * Which rectangles of both times an event ends and begins: given a memory's spans before and after it. What stays
 * as it was is in neither list, so its rectangle runs on; a span that was cut is closed and its pieces are opened.
 * @param spansBefore disjoint, in any order, as are `spansAfter`; both results are ordered by `from`
 */
export function spanDifference(
  spansBefore: readonly ValidSpan[],
  spansAfter: readonly ValidSpan[],
): { closed: ValidSpan[]; opened: ValidSpan[] } {
  const before = inOrder(spansBefore);
  const after = inOrder(spansAfter);
  const closed: ValidSpan[] = [];
  const opened: ValidSpan[] = [];
  let b = 0;
  let a = 0;
  while (b < before.length || a < after.length) {
    const old = before[b];
    const now = after[a];
    if (old && now && isSameSpan(old, now)) {
      b += 1;
      a += 1;
    } else if (old && (!now || old.from <= now.from)) {
      closed.push(old);
      b += 1;
    } else if (now) {
      opened.push(now);
      a += 1;
    }
  }
  return { closed, opened };
}

function isSameSpan(one: ValidSpan, other: ValidSpan): boolean {
  return one.version === other.version && one.from === other.from && one.to === other.to;
}
