import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ANY,
  type AppendExpectedRevision,
  BACKWARDS,
  binaryEvent,
  EventStoreDBClient,
  NO_STREAM,
  START,
  streamNameFilter,
} from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEventStore, type TestEventStore } from '#test/engines/eventstoredb/start-event-store.js';

/** What the adapter was designed around, seen through the client as it is: so that the test server is held to the real one. */
const given = process.env.HINDSIGHT_LEDGER_TEST_EVENTSTORE;
const folder = mkdtempSync(join(tmpdir(), 'hl-eventstore-behaviour-'));
let server: TestEventStore | undefined;
let client: EventStoreDBClient;

beforeAll(async () => {
  if (!given) server = await startEventStore({ folder });
  client = EventStoreDBClient.connectionString(given ?? server!.connectionString);
});
afterAll(async () => {
  await client.dispose();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const event = (id: string = randomUUID(), size = 10) => binaryEvent({ id, type: 'Tried', data: Buffer.alloc(size) });
const [, username = 'admin', password = 'changeit'] = /^[^:]+:\/\/([^:]+):([^@]+)@/.exec(given ?? '') ?? [];
const credentials = { username: decodeURIComponent(username), password: decodeURIComponent(password) };

// Credentials make the client use its plain append; without them it uses batches.
describe.each([
  ['plain', { credentials }],
  ['batch', {}],
])('%s append', (_, how) => {
  const append = (stream: string, ids: string[], expectedRevision: AppendExpectedRevision) =>
    client.appendToStream(
      stream,
      ids.map((id) => event(id)),
      { expectedRevision, ...how },
    );
  const ids = () => [randomUUID(), randomUUID()];

  it('takes what was appended, at its place, for a repeat when the expected revision lies behind', async () => {
    const stream = `tried-${randomUUID()}`;
    const [first, second] = [ids(), ids()];
    const answers = [await append(stream, first, NO_STREAM), await append(stream, second, 1n)];
    expect((await append(stream, first, NO_STREAM)).nextExpectedRevision).toBe(1n);
    expect(await append(stream, second, 1n)).toMatchObject({
      nextExpectedRevision: 3n,
      position: answers[1]!.position,
    });
    await expect(append(stream, [first[0]!, randomUUID()], NO_STREAM)).rejects.toMatchObject({
      type: 'wrong-expected-version',
      actualVersion: 3n,
    });
  });

  it('writes the same event again at the stream’s own revision', async () => {
    const stream = `tried-${randomUUID()}`;
    const [id] = ids();
    await append(stream, [id!], NO_STREAM);
    expect((await append(stream, [id!], 0n)).nextExpectedRevision).toBe(1n);
  });

  it('remembers, for a while, what was appended to any revision', async () => {
    const stream = `tried-${randomUUID()}`;
    const [id] = ids();
    await append(stream, [id!], ANY);
    expect((await append(stream, [id!], ANY)).nextExpectedRevision).toBe(0n);
  });

  it('says where a stream is that is elsewhere, or not there', async () => {
    const stream = `tried-${randomUUID()}`;
    await expect(append(stream, ids(), 4n)).rejects.toMatchObject({
      type: 'wrong-expected-version',
      actualVersion: 'no_stream',
    });
  });
});

it('refuses more than 1 MiB, counted over a whole append', async () => {
  const stream = `tried-${randomUUID()}`;
  const halves = [event(randomUUID(), 600_000), event(randomUUID(), 600_000)];
  await expect(client.appendToStream(stream, halves, { credentials })).rejects.toMatchObject({
    type: 'maximum-append-size-exceeded',
    maxAppendSize: 1024 * 1024,
  });
});

it('reads all from a position with what stands there when forward, and without it when backward', async () => {
  const stream = `tried-${randomUUID()}`;
  const events = [event(), event(), event()];
  await client.appendToStream(stream, events, { expectedRevision: NO_STREAM });
  const positions: { commit: bigint; prepare: bigint }[] = [];
  for await (const { event: read } of client.readStream(stream)) positions.push(read!.position!);
  const idsFrom = async (direction: 'forwards' | 'backwards') => {
    const found: string[] = [];
    for await (const { event: read } of client.readAll({ fromPosition: positions[1]!, direction, maxCount: 1 })) {
      found.push(read!.id);
    }
    return found;
  };
  expect(await idsFrom('forwards')).toEqual([events[1]!.id]);
  expect(await idsFrom(BACKWARDS)).toEqual([events[0]!.id]);
});

it('subscribes to all after a position, by the names of streams', async () => {
  const prefix = `tried-${randomUUID()}`;
  const events = [event(), event(), event()];
  const [first] = events;
  const { position } = await client.appendToStream(`${prefix}-a`, first!, { expectedRevision: NO_STREAM });
  await client.appendToStream(`other-${prefix}`, event(), { expectedRevision: NO_STREAM });
  await client.appendToStream(`${prefix}-b`, events.slice(1), { expectedRevision: NO_STREAM });
  const seen = async (fromPosition: typeof START | { commit: bigint; prepare: bigint }, count: number) => {
    const filter = streamNameFilter({ prefixes: [prefix] });
    const found: string[] = [];
    const subscription = client.subscribeToAll({ fromPosition, filter });
    for await (const { event: read } of subscription) {
      found.push(read!.id);
      if (found.length === count) break;
    }
    await subscription.unsubscribe();
    return found;
  };
  expect(await seen(START, 3)).toEqual(events.map((each) => each.id));
  expect(await seen(position!, 2)).toEqual(events.slice(1).map((each) => each.id));
});
