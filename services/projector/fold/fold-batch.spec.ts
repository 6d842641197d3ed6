import { expect, it } from 'vitest';
import type { Envelope } from '#events/envelope.js';
import type { BankNumbers } from '#views/views.js';
import { nothingDrawn, type ProjectedEvent } from '../projections/projection.js';
import { stats } from '../projections/stats.js';
import { createTrack, foldBatch, settle } from './fold-batch.js';

const at = '2026-03-01T09:00:00.000Z';
const configured: ProjectedEvent = {
  position: '01',
  hash: 'h',
  envelope: {
    id: 'e1',
    bank: 'b1',
    stream: 's',
    type: 'BankConfigured',
    schema: 1,
    revision: 0,
    recordedAt: at,
    principal: 'p',
  } as unknown as Envelope,
  event: { type: 'BankConfigured', data: {} },
  ...nothingDrawn,
} as unknown as ProjectedEvent;

const batch = { events: [configured], letters: [], to: { position: '01', systemTime: at }, systemTimeAt: () => at };
const readsOf = (found: BankNumbers | undefined) => ({
  numbersOf: async () => new Map(found ? [['b1', found]] : []),
  load: async () => {
    throw new Error('nothing is loaded for this event');
  },
});

it('keeps no numbers of a bank that nothing was committed on: the store may be lost before it is tried again', async () => {
  const track = createTrack(stats, { projection: 'stats', generation: 1 }, { position: undefined, systemTime: '' }, []);
  // Another process has come further.
  const first = await foldBatch(track, batch, readsOf({ seq: 2, docs: 1 }));
  expect(first.numbers.get('b1')).toEqual({ seq: 3, docs: 1 });
  track.hand.discard();
  const second = await foldBatch(track, batch, readsOf(undefined));
  expect(second.numbers.get('b1')).toEqual({ seq: 1, docs: 0 });
  settle(track, second);
  const third = await foldBatch(track, batch, readsOf({ seq: 90, docs: 9 }));
  expect(third.numbers.get('b1')).toEqual({ seq: 2, docs: 0 });
});
