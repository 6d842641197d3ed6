import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import type { MemoryEvent, MemoryTurned } from '#events/catalogue.js';
import type { Envelope } from '#events/envelope.js';
import { turns } from '#memory/fold-memory.js';
import type { RowOf } from '#views/table.js';
import { spansTable, versionsTable } from '#views/tables/versions.js';
import { createHand } from '../fold/rows-in-hand.js';
import { nothingDrawn, type ProjectedEvent } from './projection.js';
import { versions } from './versions.js';

/** A small axis of valid time, so that intervals meet, overlap and coincide. */
const hours = 12;
const at = (hour: number): string => new Date(Date.UTC(2026, 2, 1, hour)).toISOString();

type Turn = MemoryTurned['type'];
type Step = { do: 'write'; from?: number; to?: number } | { do: Turn };
const anyTurn = Object.keys(turns) as Turn[];

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      from: fc.option(fc.nat(hours), { nil: undefined }),
      to: fc.option(fc.nat(hours), { nil: undefined }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom(...anyTurn) }) },
);
const anyHistory = fc
  .array(anyStep, { minLength: 1, maxLength: 12 })
  // No write is about no time at all: it would be refused.
  .map((steps): Step[] => [{ do: 'write' }, ...steps.map((step, at) => notEmpty(step, at + 1))]);

function notEmpty(step: Step, index: number): Step {
  if (step.do !== 'write' || step.to === undefined || step.to > (step.from ?? index)) return step;
  return { do: 'write', from: step.from };
}

function eventOf(step: Step, version: number): MemoryEvent {
  if (step.do !== 'write') return { type: step.do, data: { memoryId: 'm' }, content: { reason: 'r' } };
  return {
    type: version === 1 ? 'MemoryRecorded' : 'MemoryRevised',
    data: {
      memoryId: 'm',
      version,
      kind: 'semantic',
      origin: 'agent',
      ...(step.from === undefined ? {} : { validFrom: at(step.from) }),
      ...(step.to === undefined ? {} : { validTo: at(step.to) }),
    },
    content: { content: '"x"' },
  };
}

function projected(event: MemoryEvent, index: number): ProjectedEvent {
  const envelope = {
    id: `e${index}`,
    bank: 'b1',
    stream: 's',
    type: event.type,
    schema: 1,
    revision: index,
    recordedAt: at(index),
    principal: 'p',
  };
  return {
    position: String(index),
    hash: `h${index}`,
    envelope: envelope as unknown as Envelope,
    event,
    ...nothingDrawn,
    tagHashes: ['aa', 'bb', 'aa'],
  };
}

/** All rows of a table after the whole history. */
function project(history: readonly Step[]) {
  const hand = createHand();
  let docs = 0;
  history.forEach((step, index) => {
    const event = eventOf(step, docs + 1);
    versions.apply(projected(event, index), { seq: index + 1, doc: docs, systemTime: at(index) }, hand);
    if (step.do === 'write') docs++;
  });
  const changes = hand.changes();
  return (name: string) => {
    const found = changes.find(({ table }) => table.name === name);
    return [...(found?.added ?? []), ...(found?.changed ?? [])];
  };
}

/**
 * The model: the last write that covers the hour, as the memory stands. What was taken back does not come back with a write; what was archived
 * does. What is held back stays so, and each of its writes is there until it is decided about.
 */
function shownNaively(history: readonly Step[], hour: number): [number, string][] {
  let version = 0;
  let status = 'current';
  let shown: number[] = [];
  history.forEach((step, index) => {
    if (step.do !== 'write') {
      const turned = turns[step.do].status;
      if (turned !== status) shown = shown.slice(-1);
      status = turned;
      return;
    }
    version++;
    if (status === 'retracted') shown = [];
    if (status !== 'quarantined') status = 'current';
    const from = step.from ?? index;
    if (from <= hour && hour < (step.to ?? Infinity)) shown = [...(status === 'quarantined' ? shown : []), version];
  });
  return shown.map((each) => [each, status]);
}

function shownInSpans(spans: readonly RowOf<typeof spansTable>[], seq: number, hour: number): [number, string][] {
  const moment = Date.parse(at(hour));
  return spans
    .filter(
      (span) =>
        span.seq_from <= seq &&
        seq < (span.seq_to ?? Infinity) &&
        span.valid_from <= moment &&
        moment < (span.valid_to ?? Infinity),
    )
    .map(({ version, status }): [number, string] => [version, status])
    .sort(([one], [other]) => one - other);
}

describe('the spans of a memory', () => {
  test.prop([anyHistory])(
    'show at every moment of both times what the naive model shows, and how it stands',
    (history) => {
      const spans = project(history)(spansTable.name) as RowOf<typeof spansTable>[];
      for (let seq = 0; seq <= history.length; seq++)
        for (let hour = 0; hour <= hours + 1; hour++) {
          expect(shownInSpans(spans, seq, hour)).toEqual(shownNaively(history.slice(0, seq), hour));
        }
    },
  );

  test('of a revision about the past are those that it cuts out, and the two that are left', () => {
    const spans = project([
      { do: 'write', from: 0 },
      { do: 'write', from: 4, to: 6 },
    ])(spansTable.name) as RowOf<typeof spansTable>[];
    const shown = spans.map((span) => [
      span.version,
      span.doc,
      span.valid_from,
      span.valid_to,
      span.seq_from,
      span.seq_to,
    ]);
    const ms = (hour: number) => Date.parse(at(hour));
    expect(shown).toEqual([
      [1, 0, ms(0), null, 1, 2],
      [1, 0, ms(0), ms(4), 2, null],
      [2, 1, ms(4), ms(6), 2, null],
      [1, 0, ms(6), null, 2, null],
    ]);
  });
});

describe('a version', () => {
  test('is written once, with the event that brought it', () => {
    const rows = project([{ do: 'write', from: 3 }, { do: 'MemoryForgotten' }]);
    expect(rows(versionsTable.name)).toMatchObject([
      { doc: 0, version: 1, seq: 1, valid_from: at(3), happened_at: at(0), event_id: 'e0', box: '' },
    ]);
    expect(rows('changes')).toMatchObject([{ seq: 2, type: 'MemoryForgotten', memory_id: 'm' }]);
    expect(rows('moments').map(({ seq }) => seq)).toEqual([1, 2]);
  });
});
