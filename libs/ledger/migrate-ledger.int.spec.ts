import { DatabaseSync } from '@photostructure/sqlite';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cancelMigration, migrateLedger } from './migrate-ledger.js';
import type { Place } from './place.js';
import { gapsIn } from './sqlite/gaps.js';
import { type Places, places, someSteps } from './test-support/places.js';
import { appendAll, dumpOf, expectMoved } from './test-support/random-history.js';

let at: Places;
beforeEach(async () => {
  at = await places();
});
afterEach(() => at.remove());

const anyHistory = fc.array(
  fc.record({
    stream: fc.nat({ max: 6 }),
    events: fc.integer({ min: 1, max: 4 }),
    padding: fc.oneof({ weight: 9, arbitrary: fc.nat({ max: 300 }) }, fc.constant(190_000)),
  }),
  { maxLength: 40 },
);

describe('a ledger is moved with its order, ids, times, bytes and hashes', () => {
  it('from file to file, whatever its history', async () => {
    await fc.assert(
      fc.asyncProperty(anyHistory, async (steps) => {
        const source = await at.written(at.file(), steps);
        const target = await at.inFile(at.file(), source);
        const before = await dumpOf(source.ledger);
        expect(await migrateLedger(source, target)).toMatchObject({ status: 'moved', events: before.length });
        expect(await dumpOf(target.ledger)).toEqual(before);
        await expectMoved(source, target);
      }),
      { numRuns: 15 },
    );
  });

  it('to EventStoreDB and back into the file that it came from', async () => {
    const source = await at.written(at.file(), [...someSteps(60), { stream: 1, events: 4, padding: 190_000 }]);
    const before = await dumpOf(source.ledger);
    const target = await at.inEventStore(source);
    expect(await migrateLedger(source, target)).toMatchObject({ status: 'moved', events: before.length });
    expect(await dumpOf(target.ledger)).toEqual(before);
    await expectMoved(source, target);
    await expect(migrateLedger(source, target)).resolves.toMatchObject({ status: 'was_moved_before' });

    await appendAll(await at.writerOfEventStore(), someSteps(20));
    const grown = await dumpOf(target.ledger);
    expect(await migrateLedger(target, source)).toMatchObject({
      status: 'moved',
      copied: grown.length - before.length,
    });
    expect(await dumpOf(source.ledger)).toEqual(grown);
    await expectMoved(target, source);
    await appendAll(source.ledger, someSteps(3));
  });

  it('an empty one too', async () => {
    const source = await at.written(at.file(), []);
    const target = await at.inEventStore(source);
    expect(await migrateLedger(source, target)).toMatchObject({ status: 'moved', events: 0 });
    expect(target.ledger.id).toBe(source.ledger.id);
    await expectMoved(source, target);
  });
});

describe('what was begun', () => {
  const closed = async (): Promise<[Place, Place]> => {
    const source = await at.written(at.file(), someSteps(50));
    const target = await at.inEventStore(source);
    await source.close(target.name);
    return [source, target];
  };

  it('and ended between closing and opening leaves neither open, and the next run opens the target', async () => {
    const [source, target] = await closed();
    await expect(appendAll(source.ledger, someSteps(1))).rejects.toMatchObject({ code: 'ledger_moved' });
    await expect(appendAll(target.ledger, someSteps(1))).rejects.toMatchObject({ code: 'ledger_moved' });
    expect(await migrateLedger(source, target)).toMatchObject({ status: 'moved' });
    await expectMoved(source, target);
  });

  it('can be cancelled until the target is open, and not after', async () => {
    const [source, target] = await closed();
    await cancelMigration(source, target);
    await appendAll(source.ledger, someSteps(2));
    await migrateLedger(source, target);
    await expect(cancelMigration(source, target)).rejects.toMatchObject({ code: 'invalid_config' });
    await expectMoved(source, target);
  });

  it('stops soon by the signal, with the source open, and goes on from there', async () => {
    const source = await at.written(at.file(), someSteps(400));
    const target = await at.inEventStore(source);
    const stop = new AbortController();
    const moving = migrateLedger(source, target, {
      signal: stop.signal,
      onProgress: ({ events }) => {
        if (events >= 500) stop.abort();
      },
    });
    await expect(moving).rejects.toThrow();
    expect(await source.status()).toEqual({ open: true });
    expect(await dumpOf(target.ledger)).toHaveLength(500);
    expect(await migrateLedger(source, target)).toMatchObject({ status: 'moved', copied: 299 });
    await expectMoved(source, target);
  });
});

describe('nothing is moved', () => {
  it('to where another ledger is', async () => {
    const source = await at.written(at.file(), someSteps(3));
    await at.writerOfEventStore();
    await expect(at.inEventStore(source)).rejects.toMatchObject({ code: 'invalid_config' });
    const path = at.file();
    await at.written(path, someSteps(3));
    await expect(at.inFile(path, source)).rejects.toMatchObject({ code: 'invalid_config' });
  });

  it('from a place that the ledger has left for another one', async () => {
    const source = await at.written(at.file(), someSteps(3));
    await migrateLedger(source, await at.inFile(at.file(), source));
    const other = await at.inEventStore(source);
    await expect(migrateLedger(source, other)).rejects.toMatchObject({ code: 'ledger_moved' });
  });

  it('that is wrong in the source, which stays open', async () => {
    const path = at.file();
    const source = await at.written(path, someSteps(30));
    const raw = new DatabaseSync(path);
    raw.exec(`DROP TRIGGER events_never_updated;
      UPDATE events SET bytes = CAST(replace(bytes, 'os:tester', 'os:nobody') AS BLOB) WHERE position = 20`);
    raw.close();
    const target = await at.inEventStore(source);
    await expect(migrateLedger(source, target)).rejects.toThrow(/position 0*20 .*hash/);
    expect(await source.status()).toEqual({ open: true });
    expect(await target.status()).toMatchObject({ open: false });
  });

  it('from which events are gone, which stays open', async () => {
    const path = at.file();
    const source = await at.written(path, someSteps(30));
    const raw = new DatabaseSync(path);
    raw.exec(`DROP TRIGGER events_never_deleted;
      DELETE FROM events WHERE position = (SELECT max(position) FROM events WHERE revision = 0)`);
    raw.close();
    const target = await at.inFile(at.file(), source);
    await expect(migrateLedger(source, target, { gapBetween: gapsIn(path) })).rejects.toMatchObject({
      code: 'ledger_corrupt',
    });
    expect(await source.status()).toEqual({ open: true });
  });

  it('beside events that the ledger does not have', async () => {
    const source = await at.written(at.file(), someSteps(30));
    const target = await at.inEventStore(source);
    await target.open();
    await appendAll(await at.writerOfEventStore(), someSteps(1));
    await expect(migrateLedger(source, target)).rejects.toMatchObject({ code: 'invalid_config' });
    await target.close(source.name);
    await expect(migrateLedger(source, target)).rejects.toMatchObject({ code: 'ledger_corrupt' });
    expect(await source.status()).toEqual({ open: true });
  });
});
