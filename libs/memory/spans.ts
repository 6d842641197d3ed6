import type { ValidSpan } from './memory-state.js';

/**
 * Which rectangles of both times an event ends and begins: `before` and `after` are a memory's spans around it. What stays
 * as it was is in neither list, so its rectangle runs on; a span that was cut is closed and its pieces are opened.
 * Both lists keep the order of their input.
 */
export function spanDifference(
  before: readonly ValidSpan[],
  after: readonly ValidSpan[],
): { closed: ValidSpan[]; opened: ValidSpan[] } {
  return {
    closed: before.filter((span) => !after.some((other) => isSameSpan(span, other))),
    opened: after.filter((span) => !before.some((other) => isSameSpan(span, other))),
  };
}

function isSameSpan(one: ValidSpan, other: ValidSpan): boolean {
  return one.version === other.version && one.from === other.from && one.to === other.to;
}
