import { expect, it } from 'vitest';
import type { Ledger } from '#ledger/ledger.js';
import type { DeadLetter, Views } from '#views/views.js';
import { projectionState } from './projection-state.js';

const letter = (position: string, bank: string): DeadLetter => ({
  position,
  stream: `hl.l1.${bank}.memory-m`,
  eventId: `e${position}`,
  type: 'MemoryRecorded',
  reason: 'a key is not there',
  at: '2026-03-01T09:00:00.000Z',
});
const ledger = { readAll: async function* () {} } as unknown as Ledger;

it('counts of what was set aside the asking bank’s alone, each event once', async () => {
  const generations = ['memories', 'versions'].map((projection) => ({ projection, generation: 4, active: true }));
  const views = {
    generations: async () => generations,
    checkpoints: async () => [{ position: '09', systemTime: '' }],
    deadLetters: async () => [letter('01', 'b1'), letter('02', 'b2'), letter('03', 'b1')],
  } as unknown as Views;
  expect(await projectionState(ledger, views, 'b1')).toEqual({ lagEvents: 0, setAside: 2, generation: 4 });
  expect(await projectionState(ledger, views, 'b2')).toMatchObject({ setAside: 1 });
  expect(await projectionState(ledger, views, 'b3')).toMatchObject({ setAside: 0 });
});
