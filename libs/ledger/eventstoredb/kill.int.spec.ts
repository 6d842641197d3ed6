import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { type SpawnedEventStore, spawnEventStore } from '#test/engines/eventstoredb/spawn-event-store.js';
import { sampleStream } from '../sample-events.js';
import { verifyLedger } from '../verify-ledger.js';
import { openEventStoreLedger } from './eventstoredb-ledger.js';

const folder = mkdtempSync(join(tmpdir(), 'hl-eventstore-kill-'));
let server: SpawnedEventStore | undefined;
afterAll(async () => {
  await server?.kill();
  rmSync(folder, { recursive: true, force: true });
});

it('keeps every acknowledged append once, and a subscription whole, when the server is killed under load', async () => {
  server = await spawnEventStore(folder);
  const ledger = await openEventStoreLedger(server.connectionString);
  const stop = new AbortController();
  const told: string[] = [];
  const listening = (async () => {
    for await (const each of ledger.subscribeAll(undefined, stop.signal)) {
      if (!('caughtUp' in each)) told.push(each.id);
    }
  })();

  const acknowledged: string[] = [];
  let isOver = false;
  const writers = Array.from({ length: 16 }, async () => {
    while (!isOver) {
      const stream = sampleStream(ledger.id);
      const events = [stream.next(), stream.next({ padding: 2000 })];
      await ledger.append(stream.name, events, 'no_stream');
      acknowledged.push(...events.map((each) => each.id));
    }
  });
  for (let kill = 0; kill < 5; kill += 1) {
    const before = acknowledged.length;
    await expect.poll(() => acknowledged.length, { timeout: 20_000, interval: 5 }).toBeGreaterThan(before + 60);
    await server.kill();
    await server.start();
  }
  isOver = true;
  await Promise.all(writers);

  await expect.poll(() => told.length, { timeout: 20_000 }).toBe(acknowledged.length);
  stop.abort();
  await listening;
  const stored: string[] = [];
  for await (const event of ledger.readAll()) stored.push(event.id);
  expect(stored.toSorted()).toEqual(acknowledged.toSorted());
  expect(told).toEqual(stored);
  expect(await verifyLedger(ledger)).toMatchObject({ broken: [], missing: [] });
  await ledger.close();
});
