import { test } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MemoryEvent } from '#events/catalogue.js';
import { absentMemory, type FoldedEnvelope, foldMemory, validFromOf } from './fold-memory.js';
import type { MemoryState } from './memory-state.js';
import { holdsAt } from './valid-time.js';

const memoryId = 'm';
const day = (n: number) => new Date(Date.UTC(2026, 9, 1 + n)).toISOString();
const at = (n: number) => Date.parse(day(n));

type Times = { validFrom?: string; validTo?: string; occurredAt?: string; expiresAt?: string };

function version(number: number, content: string, times: Times = {}): MemoryEvent {
  return {
    type: number === 1 ? 'MemoryRecorded' : 'MemoryRevised',
    data: { memoryId, version: number, kind: 'semantic', origin: 'agent', ...times },
    content: { content: JSON.stringify(content) },
  };
}
const forgotten: MemoryEvent = { type: 'MemoryForgotten', data: { memoryId }, content: { reason: 'typo' } };
const restored: MemoryEvent = { type: 'MemoryRestored', data: { memoryId }, content: { reason: 'none' } };

const quarantined: MemoryEvent = { type: 'MemoryQuarantined', data: { memoryId }, content: { reason: 'odd' } };

/** Each event on a day of its own, from day 0 on. */
function folded(events: readonly MemoryEvent[], requests: readonly FoldedEnvelope['request'][] = []): MemoryState {
  return events.reduce(
    (state, event, n) => foldMemory(state, event, { recordedAt: day(n), revision: n, request: requests[n] }, `h${n}`),
    absentMemory(memoryId),
  );
}

const holding = (state: MemoryState, n: number) => state.spans.find((span) => holdsAt(span, at(n)))?.version;

describe('the fold of a memory', () => {
  it('starts absent', () => {
    expect(absentMemory(memoryId)).toMatchObject({
      status: 'absent',
      version: 0,
      revision: -1,
      lastHash: null,
      spans: [],
    });
  });

  it('follows its stream: revision, hash, time, version', () => {
    expect(folded([version(1, 'a'), forgotten, restored, version(2, 'b')])).toMatchObject({
      status: 'current',
      version: 2,
      revision: 3,
      lastHash: 'h3',
      lastRecordedAt: at(3),
      latest: { version: 2, kind: 'semantic', expiresAt: Infinity },
    });
  });

  it('changes no earlier state', () => {
    const first = folded([version(1, 'a')], [{ key: 'k', print: 'p' }]);
    const { answered, ...rest } = first;
    const before = structuredClone(rest);
    foldMemory(first, version(2, 'b'), { recordedAt: day(1), revision: 1, request: { key: 'l', print: 'q' } }, 'h1');
    expect(first).toEqual({ ...before, answered });
    expect(first.answered.get('l')).toBeUndefined();
  });

  it('holds a version from its valid time, else from when it occurred, else from when it was recorded', () => {
    expect(validFromOf({ validFrom: day(-9), occurredAt: day(-5) }, day(0))).toBe(at(-9));
    expect(validFromOf({ occurredAt: day(-5) }, day(0))).toBe(at(-5));
    expect(validFromOf({}, day(0))).toBe(at(0));
  });

  it('cuts what held before, so that an earlier day keeps its version', () => {
    const state = folded([
      version(1, 'MySQL', { validFrom: day(-30) }),
      version(2, 'PostgreSQL', { validFrom: day(-3) }),
    ]);
    expect([-31, -30, -4, -3, 300].map((n) => holding(state, n))).toEqual([undefined, 1, 1, 2, 2]);
  });

  it('takes a revision about the past and one about the future', () => {
    const state = folded([
      version(1, 'a'),
      version(2, 'was b', { validFrom: day(-9), validTo: day(-5) }),
      version(3, 'will be c', { validFrom: day(40), validTo: day(50) }),
    ]);
    expect([-9, -6, -5, 0, 39, 40, 49, 50].map((n) => holding(state, n))).toEqual([2, 2, undefined, 1, 1, 3, 3, 1]);
  });

  it('keeps the spans of what is retracted, and serves them again when it is restored', () => {
    const current = folded([version(1, 'a')]);
    const retracted = folded([version(1, 'a'), forgotten]);
    expect(retracted.status).toBe('retracted');
    expect(retracted.spans).toEqual(current.spans);
    expect(folded([version(1, 'a'), forgotten, restored])).toMatchObject({ status: 'current', spans: current.spans });
  });

  it('starts the timeline anew when what was retracted is written again', () => {
    const state = folded([version(1, 'a', { validFrom: day(-9) }), forgotten, version(2, 'b')]);
    expect(state).toMatchObject({ status: 'current', version: 2 });
    expect(state.spans).toEqual([{ version: 2, from: at(2), to: Infinity }]);
    expect(
      holding(folded([version(1, 'a', { validFrom: day(-9) }), forgotten, version(2, 'b'), forgotten, restored]), -5),
    ).toBe(undefined);
  });

  it('keeps what is held back held back when it is written again, and its timeline goes on', () => {
    const history = [version(1, 'a', { validFrom: day(-9) }), quarantined, version(2, 'b')];
    expect(folded(history)).toMatchObject({ status: 'quarantined', version: 2 });
    const decided = { MemoryReleased: 'current', MemoryForgotten: 'retracted' } as const;
    for (const [type, status] of Object.entries(decided)) {
      const state = folded([...history, { type, data: { memoryId }, content: { reason: 'r' } } as MemoryEvent]);
      expect([state.status, holding(state, -5), holding(state, 3)]).toEqual([status, 1, 2]);
    }
    const request = { key: 'k', print: 'p' };
    expect(folded(history, [undefined, undefined, request]).answered.get('k')?.outcome).toBe('quarantined');
  });

  it('knows when the latest version expires', () => {
    expect(folded([version(1, 'a', { expiresAt: day(7) })]).latest?.expiresAt).toBe(at(7));
    expect(folded([version(1, 'a', { expiresAt: day(7) }), version(2, 'a')]).latest?.expiresAt).toBe(Infinity);
  });
});

describe('a rating', () => {
  const rated: MemoryEvent = { type: 'MemoryRated', data: { memoryId, version: 1, outcome: 'wrong' }, content: {} };
  it.each([[[]], [[forgotten]], [[quarantined]]])(
    'leaves a memory as it stands, but for where its stream ends',
    (then) => {
      const before = folded([version(1, 'a'), version(2, 'b', { validFrom: day(9) }), ...then]);
      const after = folded([version(1, 'a'), version(2, 'b', { validFrom: day(9) }), ...then, rated]);
      const { revision, lastHash, lastRecordedAt, answered: _, ...rest } = after;
      expect(rest).toEqual(
        (({ revision: _1, lastHash: _2, lastRecordedAt: _3, answered: _4, ...same }) => same)(before),
      );
      expect([revision, lastHash, lastRecordedAt]).toEqual([
        before.revision + 1,
        `h${before.revision + 1}`,
        at(before.revision + 1),
      ]);
    },
  );
  it('is remembered as answered', () => {
    expect(
      folded([version(1, 'a'), version(2, 'b'), rated], [undefined, undefined, { key: 'k', print: 'p' }]).answered.get(
        'k',
      ),
    ).toEqual({
      print: 'p',
      outcome: 'rated',
      version: 1,
    });
  });
});

describe('answers to repeated requests', () => {
  it('are remembered with what was asked and what came of it', () => {
    const state = folded(
      [version(1, 'a'), version(2, 'b'), forgotten, restored],
      [{ key: 'k1', print: 'p1' }, undefined, { key: 'k3', print: 'p3' }, { key: 'k4', print: 'p4' }],
    );
    expect(['k1', 'k2', 'k3', 'k4'].map(state.answered.get)).toEqual([
      { print: 'p1', outcome: 'stored', version: 1 },
      undefined,
      { print: 'p3', outcome: 'forgotten', version: 2 },
      { print: 'p4', outcome: 'restored', version: 2 },
    ]);
  });

  it('outlive every later event', () => {
    const events = [
      version(1, 'a'),
      forgotten,
      restored,
      ...Array.from({ length: 40 }, (_, n) => version(n + 2, `v${n}`)),
    ];
    expect(folded(events, [{ key: 'k1', print: 'p1' }]).answered.get('k1')).toEqual({
      print: 'p1',
      outcome: 'stored',
      version: 1,
    });
  });
});

type Step = { does: 'write'; from?: number; to?: number } | { does: 'forget' } | { does: 'restore' };
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('write' as const),
      from: fc.option(fc.integer({ min: -8, max: 8 }), { nil: undefined }),
      to: fc.option(fc.integer({ min: -8, max: 8 }), { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ does: 'forget' as const }) },
  { weight: 1, arbitrary: fc.constant({ does: 'restore' as const }) },
);

describe('a history', () => {
  test.prop([fc.array(step, { maxLength: 14 })])(
    'says at each day what a replay of its writes, day by day, says',
    (steps) => {
      const events: MemoryEvent[] = [version(1, 'first')];
      let line = new Map<number, number>();
      let status = 'current';
      let number = 1;
      const paint = (from: number, to: number, by: number) => {
        for (let n = -10; n <= 40; n++) if (from <= n && n < to) line.set(n, by);
      };
      paint(0, Infinity, 1);
      for (const each of steps) {
        const today = events.length;
        if (each.does === 'write') {
          number += 1;
          events.push(
            version(number, `v${number}`, {
              validFrom: each.from === undefined ? undefined : day(each.from),
              validTo: each.to === undefined ? undefined : day(each.to),
            }),
          );
          if (status === 'retracted') line = new Map();
          status = 'current';
          paint(each.from ?? today, each.to ?? Infinity, number);
        } else if (each.does === 'forget' && status === 'current') {
          events.push(forgotten);
          status = 'retracted';
        } else if (each.does === 'restore' && status === 'retracted') {
          events.push(restored);
          status = 'current';
        }
      }
      const state = folded(events);
      expect(state).toMatchObject({ status, version: number, revision: events.length - 1 });
      for (let n = -10; n <= 40; n++) expect([n, holding(state, n)]).toEqual([n, line.get(n)]);
    },
  );
});
