import { test } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ValidSpan } from './memory-state.js';
import { spanDifference } from './spans.js';
import { assign, holdsAt } from './valid-time.js';

// Few points, so that equal instants, touching ends and empty intervals are common; Infinity is an open end.
const points = 12;
const instants = Array.from({ length: points }, (_, at) => at);
const write = fc.record({
  from: fc.nat({ max: points - 1 }),
  to: fc.oneof(fc.nat({ max: points - 1 }), fc.constant(Infinity)),
});
const writes = fc.array(write, { maxLength: 12 }).map((list) => list.map((each, i) => ({ ...each, version: i + 1 })));

/** The naive model: which version holds at each instant, written point by point. */
function painted(list: readonly ValidSpan[]): (number | undefined)[] {
  const line = new Array<number | undefined>(points + 1).fill(undefined);
  for (const { version, from, to } of list)
    for (let at = 0; at <= points; at++) if (from <= at && at < to) line[at] = version;
  return line;
}

function held(spans: readonly ValidSpan[]): (number | undefined)[] {
  return [...instants, points].map((at) => spans.find((span) => holdsAt(span, at))?.version);
}

const assigned = (list: readonly ValidSpan[]) => list.reduce<ValidSpan[]>(assign, []);
const open = (version: number, from: number, to = Infinity): ValidSpan => ({ version, from, to });

describe('assigning valid time', () => {
  it('cuts what held until then', () => {
    expect(assign([open(1, 0)], open(2, 10))).toEqual([open(1, 0, 10), open(2, 10)]);
  });

  it('splits what held before and after', () => {
    expect(assign([open(1, 0)], open(2, 10, 20))).toEqual([open(1, 0, 10), open(2, 10, 20), open(1, 20)]);
  });

  it('takes the place of what lies inside, in hindsight too', () => {
    expect(assign([open(1, 5, 8), open(2, 8)], open(3, 2))).toEqual([open(3, 2)]);
  });

  it('leaves what only touches it', () => {
    expect(assign([open(1, 0, 5), open(2, 9)], open(3, 5, 9))).toEqual([open(1, 0, 5), open(3, 5, 9), open(2, 9)]);
  });

  it('leaves a gap where nothing was said', () => {
    expect(assign([open(1, 0, 2)], open(2, 7))).toEqual([open(1, 0, 2), open(2, 7)]);
  });

  it.each([open(2, 5, 5), open(2, 9, 3)])('changes nothing by an empty interval: %j', (empty) => {
    expect(assign([open(1, 0)], empty)).toEqual([open(1, 0)]);
  });

  test.prop([writes])('says at each instant what the last write about it said', (list) => {
    expect(held(assigned(list))).toEqual(painted(list));
  });

  test.prop([writes])('keeps spans disjoint, ordered and not empty', (list) => {
    const spans = assigned(list);
    for (const span of spans) expect(span.from).toBeLessThan(span.to);
    for (let i = 1; i < spans.length; i++) expect(spans[i - 1]!.to).toBeLessThanOrEqual(spans[i]!.from);
  });

  test.prop([writes, write, fc.infiniteStream(fc.nat())])(
    'does not depend on the order of what it is given',
    (list, last, random) => {
      const spans = assigned(list);
      const next = { ...last, version: 99 };
      const shuffled = spans
        .map((span) => ({ span, rank: random.next().value as number }))
        .sort((one, other) => one.rank - other.rank)
        .map(({ span }) => span);
      const before = structuredClone(shuffled);
      expect(assign(shuffled, next)).toEqual(assign(spans, next));
      expect(shuffled).toEqual(before);
    },
  );
});

describe('the difference of spans', () => {
  it('closes what was cut and opens its pieces, and leaves the rest alone', () => {
    const before = [open(1, 0, 10), open(2, 10)];
    expect(spanDifference(before, assign(before, open(3, 12, 20)))).toEqual({
      closed: [open(2, 10)],
      opened: [open(2, 10, 12), open(3, 12, 20), open(2, 20)],
    });
  });

  it('is empty where nothing changed', () => {
    expect(spanDifference([open(1, 0, 10), open(2, 10)], [open(1, 0, 10), open(2, 10)])).toEqual({
      closed: [],
      opened: [],
    });
  });

  test.prop([writes, writes])('leads from the one to the other, and names nothing that stays', (list, later) => {
    const before = assigned(list);
    const after = later.reduce<ValidSpan[]>(
      (spans, each) => assign(spans, { ...each, version: each.version + 100 }),
      before,
    );
    const { closed, opened } = spanDifference(before, after);
    const kept = before.filter((span) => !closed.includes(span));
    expect([...kept, ...opened].sort((one, other) => one.from - other.from)).toEqual(after);
    for (const span of closed) expect(after).not.toContainEqual(span);
    for (const span of opened) expect(before).not.toContainEqual(span);
  });

  test.prop([writes])('keeps each moment of the past as rectangles of both times', (list) => {
    const rectangles: (ValidSpan & { seqFrom: number; seqTo: number })[] = [];
    let current: ValidSpan[] = [];
    for (const [index, next] of list.entries()) {
      const after = assign(current, next);
      const { closed, opened } = spanDifference(current, after);
      for (const span of closed)
        rectangles.find(
          ({ version, from, to, seqTo }) =>
            seqTo === Infinity && version === span.version && from === span.from && to === span.to,
        )!.seqTo = index + 1;
      for (const span of opened) rectangles.push({ ...span, seqFrom: index + 1, seqTo: Infinity });
      current = after;
    }
    for (let seq = 0; seq <= list.length; seq++) {
      const known = rectangles.filter(({ seqFrom, seqTo }) => seqFrom <= seq && seq < seqTo);
      expect(held(known)).toEqual(painted(list.slice(0, seq)));
    }
  });
});
