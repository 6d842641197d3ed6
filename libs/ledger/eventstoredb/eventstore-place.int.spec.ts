import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEventStore, type TestEventStore } from '#test/engines/eventstoredb/start-event-store.js';
import type { StoredEvent } from '../ledger.js';
import { placeContract } from '../place.contract.js';
import { sampleStream } from '../sample-events.js';
import { openEventStorePlace } from './eventstore-place.js';
import { openEventStoreLedger } from './eventstoredb-ledger.js';

const given = process.env.HINDSIGHT_LEDGER_TEST_EVENTSTORE;
const folder = mkdtempSync(join(tmpdir(), 'hl-eventstore-place-'));
const run = `testplace${Date.now().toString(36)}`;
let server: TestEventStore | undefined;
let made = 0;
beforeAll(async () => {
  if (!given) server = await startEventStore({ folder });
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const url = () => given ?? server!.connectionString;
const trust = 500;

describe('EventStoreDB', () => {
  placeContract(async () => {
    made += 1;
    const name = `${run}n${made}`;
    return {
      open: (coming) => openEventStorePlace(url(), { name, coming, trust }),
      writer: () => openEventStoreLedger(url(), { name, trust }),
      remove: async () => {},
    };
  });

  it('stays open when closing is stopped before it was done', async () => {
    const name = `${run}stopped`;
    const ledger = await openEventStoreLedger(url(), { name, trust });
    const place = await openEventStorePlace(url(), { name, trust });
    await expect(place.close({ id: 'x', shown: 'y' }, AbortSignal.timeout(100))).rejects.toThrow();
    expect(await place.status()).toEqual({ open: true });
    await place.leave();
    await ledger.close();
  });

  it.skipIf(given)('refuses a write that the server took only after the ledger had left', async () => {
    const name = `${run}late`;
    const ledger = await openEventStoreLedger(url(), { name, trust });
    const place = await openEventStorePlace(url(), { name, trust });
    const first = sampleStream(ledger.id);
    await ledger.append(first.name, [first.next()], 'no_stream');
    server!.setFault({ delay: 3_000 });
    const late = sampleStream(ledger.id);
    const writing = ledger.append(late.name, [late.next()], 'no_stream');
    const refused = expect(writing).rejects.toMatchObject({ code: 'ledger_moved' });
    await sleep(200);
    server!.setFault({ delay: 0 });
    const cut = (await place.close({ id: 'x', shown: 'y' }))!;
    await refused;
    const stored: StoredEvent[] = [];
    for await (const event of ledger.readAll()) stored.push(event);
    expect(stored.map(({ position }) => position > cut)).toEqual([false, true]);
    await place.leave();
    await ledger.close();
  });

  it('is not made where none is to come', async () => {
    await expect(openEventStorePlace(url(), { name: `${run}none` })).rejects.toMatchObject({ code: 'file_not_found' });
  });

  it('is called without user and password', async () => {
    const withUser = url().replace('://', '://admin:changeit@');
    const coming = { ledger: 'abcdef', from: { id: 'x', shown: 'y' } };
    const place = await openEventStorePlace(withUser, { name: `${run}shown`, coming, trust }).catch(() => undefined);
    expect(place?.name.shown ?? '').not.toMatch(/admin|changeit/);
    await place?.leave();
  });
});
