import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { isHindsightError } from '#contract/errors.js';
import type { Limits } from './insist.js';
import { placeGate } from './place-gate.js';
import type { PlaceRecord } from './place-record.js';

const trust = 100;
const limits: Limits = { deadline: 1_000, patience: 1_000, random: () => 0, closing: new AbortController().signal };
const record = (state: PlaceRecord['state'], position = ''): PlaceRecord =>
  ({ state, revision: 0n, position, ledgerIsAt: { id: 'x', shown: 'y' } }) as PlaceRecord;

it('asks nothing more while it may rely on what it was told, and asks again in the background at half of that', async () => {
  let time = 0;
  let asked = 0;
  const gate = placeGate(
    async () => {
      asked += 1;
      return record('here');
    },
    limits,
    trust,
    () => time,
  );
  const append = async () => {
    await gate.enter();
    await gate.leave('1');
  };
  await append();
  await Promise.all(Array.from({ length: 50 }, append));
  expect(asked).toBe(1);
  time = 49;
  await append();
  expect(asked).toBe(1);
  time = 51;
  await append();
  expect(asked).toBe(2);
});

it('looks after an append when it stood still for longer than it may rely on what it was told', async () => {
  let time = 0;
  let now = record('here');
  const gate = placeGate(
    async () => now,
    limits,
    trust,
    () => time,
  );
  await gate.enter();
  time = 1_000_000;
  now = record('gone', '5');
  await expect(gate.leave('6')).rejects.toMatchObject({ code: 'ledger_moved' });
  await expect(gate.leave('4')).resolves.toBeUndefined();
  await expect(gate.enter()).rejects.toMatchObject({ code: 'ledger_moved' });
  now = record('here');
  await expect(gate.enter()).resolves.toBeUndefined();
});

/**
 * A server of numbered events, two writers and one who moves the ledger, on one clock; each step takes any time, the writers' as much as
 * it likes. The log is one list, as EventStoreDB's is.
 */
test('whatever the times, nothing is acknowledged that stands behind the mark', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof({ weight: 9, arbitrary: fc.nat({ max: 12 }) }, fc.nat({ max: 250 })), {
        minLength: 40,
        maxLength: 120,
      }),
      fc.nat({ max: 400 }),
      async (delays, movesAt) => {
        let time = 0;
        const due: { at: number; run: () => void }[] = [];
        const after = (ms: number) => new Promise<void>((resolve) => due.push({ at: time + ms, run: resolve }));
        let step = 0;
        const any = () => after(delays[step++ % delays.length]!);
        const log: string[] = [];
        let state: PlaceRecord = record('here');
        const position = (index: number) => String(index).padStart(6, '0');
        const acknowledged: string[] = [];
        let running = 3;

        const writer = async () => {
          const gate = placeGate(
            async () => {
              await any();
              const read = state;
              await any();
              return read;
            },
            { ...limits, deadline: 1e9, patience: 1e9 },
            trust,
            () => time,
          );
          try {
            for (let written = 0; written < 30; written++) {
              await gate.enter();
              await any();
              log.push('event');
              const at = position(log.length);
              await any();
              await gate.leave(at);
              acknowledged.push(at);
            }
          } catch (error) {
            if (!isHindsightError(error, 'ledger_moved')) throw error;
          } finally {
            running -= 1;
          }
        };
        let cut = position(999_999);
        const mover = async () => {
          await after(movesAt);
          log.push('moving');
          state = record('leaving', position(log.length));
          await after(trust * 1.2);
          log.push('moved');
          cut = position(log.length);
          state = record('gone', cut);
          running -= 1;
        };
        const all = Promise.all([writer(), writer(), mover()]);
        while (running > 0) {
          await new Promise(setImmediate);
          due.sort((one, other) => one.at - other.at);
          const next = due.shift();
          if (!next) continue;
          time = Math.max(time, next.at);
          next.run();
        }
        await all;
        expect(acknowledged.filter((at) => at > cut)).toEqual([]);
      },
    ),
    { numRuns: 200 },
  );
});
