import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { EncodedEvent } from '#events/envelope.js';
import { noFaults } from '#test/engines/eventstoredb/faults.js';
import { startEventStore, type TestEventStore } from '#test/engines/eventstoredb/start-event-store.js';
import { type CaughtUp, type Ledger, maxAppendBytes, type StoredEvent } from '../ledger.js';
import { sampleStream } from '../sample-events.js';
import { verifyLedger } from '../verify-ledger.js';
import { type EventStoreLedgerOptions, openEventStoreLedger } from './eventstoredb-ledger.js';

const folder = mkdtempSync(join(tmpdir(), 'hl-eventstore-faults-'));
let server: TestEventStore;
let ledger: Ledger;
const opened: Ledger[] = [];

beforeAll(async () => {
  server = await startEventStore({ folder: join(folder, 'one') });
  ledger = await open();
});
beforeEach(() => server.setFault(noFaults()));
afterAll(async () => {
  server.setFault(noFaults());
  await Promise.all(opened.map((each) => each.close()));
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function open(options: EventStoreLedgerOptions = {}, connectionString = server.connectionString) {
  const one = await openEventStoreLedger(connectionString, options);
  opened.push(one);
  return one;
}

describe('an append', () => {
  it('is written once when the connection is cut before it', async () => {
    const stream = sampleStream(ledger.id);
    server.setFault({ dropBeforeAppend: 2 });
    const appended = await ledger.append(stream.name, [stream.next(), stream.next()], 'no_stream');
    expect(appended).toMatchObject({ revision: 1, repeated: false });
    expect(await collected(ledger.readStream(stream.name))).toHaveLength(2);
  });

  it.each([
    ['the connection is cut instead of an answer', { dropAfterAppend: 1 }],
    ['no answer comes', { loseAnswer: 1 }],
  ])('is written once, and said to be a repeat, when %s', async (_, fault) => {
    const hasty = await open({ deadline: 300 });
    const stream = sampleStream(ledger.id);
    server.setFault(fault);
    const events = [stream.next(), stream.next()];
    const appended = await hasty.append(stream.name, events, 'no_stream');
    const stored = await collected(ledger.readStream(stream.name));
    expect(stored.map((each) => each.id)).toEqual(events.map((each) => each.id));
    expect(appended).toEqual({ position: stored[1]!.position, revision: 1, repeated: true });
  });

  it('is recognised after a lost answer though others have written behind it since', async () => {
    const hasty = await open({ deadline: 300, patience: 250 });
    const stream = sampleStream(ledger.id);
    const first = stream.next();
    server.setFault({ loseAnswer: 1 });
    await expect(hasty.append(stream.name, [first], 'no_stream')).rejects.toMatchObject({ code: 'unreachable' });
    await ledger.append(stream.name, [stream.next()], 0);
    expect(await hasty.append(stream.name, [first], 'no_stream')).toMatchObject({ revision: 0, repeated: true });
    expect(await collected(ledger.readStream(stream.name))).toHaveLength(2);
  });

  it('is not taken for written when it was lost before and another writer has taken its place', async () => {
    const stream = sampleStream(ledger.id);
    const rival = sampleStream(ledger.id, stream.name.slice(-36));
    server.setFault({ dropBeforeAppend: 1 });
    const outcomes = await Promise.allSettled(
      [stream, rival].map((each) => ledger.append(each.name, [each.next()], 'no_stream')),
    );
    expect(outcomes.map((each) => each.status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find((each) => each.status === 'rejected')).toMatchObject({
      reason: { code: 'wrong_expected_revision', details: { expected: 'no_stream', actual: 0 } },
    });
    expect(await collected(ledger.readStream(stream.name))).toHaveLength(1);
  });

  it('goes through when a server refuses it once though the stream is as expected, or cannot say who leads', async () => {
    const stream = sampleStream(ledger.id);
    server.setFault({ wrongExpected: 1, noLeader: 2 });
    expect(await ledger.append(stream.name, [stream.next()], 'no_stream')).toMatchObject({ repeated: false });
  });

  it('ends with what to do when the server is too slow', async () => {
    const hasty = await open({ deadline: 100, patience: 400 });
    const stream = sampleStream(ledger.id);
    server.setFault({ delay: 600 });
    const error = await hasty.append(stream.name, [stream.next()], 'no_stream').catch((reason: Error) => reason);
    expect(error).toMatchObject({ code: 'unreachable' });
    expect((error as Error).message).toContain('within 100 ms');
    expect((error as Error).message).toContain('make it again as it is');
    server.setFault({ delay: 0 });
  });

  it('reads end too when the server is too slow', async () => {
    const hasty = await open({ deadline: 100, patience: 300 });
    server.setFault({ delay: 600 });
    await expect(hasty.head()).rejects.toMatchObject({ code: 'unreachable' });
    await expect(collected(hasty.readAll())).rejects.toMatchObject({ code: 'unreachable' });
  });

  it('is one of many in flight when the connection is cut again and again: all are written once', async () => {
    const streams = Array.from({ length: 300 }, () => sampleStream(ledger.id));
    const appending = Promise.all(
      streams.map((stream) => ledger.append(stream.name, [stream.next(), stream.next()], 'no_stream')),
    );
    for (let cut = 0; cut < 6; cut += 1) {
      await new Promise((resolve) => setTimeout(resolve, 30));
      server.cutConnections();
    }
    const appended = await appending;
    expect(appended.every((each) => each.revision === 1)).toBe(true);
    for (const stream of streams) expect(await collected(ledger.readStream(stream.name))).toHaveLength(2);
  });

  it('of as many small events as it may hold stays below what the server takes', async () => {
    const stream = sampleStream(ledger.id);
    const events: EncodedEvent[] = [];
    for (let left = maxAppendBytes; ; ) {
      const event = stream.next();
      left -= event.bytes.byteLength + 64;
      if (left < 0) break;
      events.push(event);
    }
    await ledger.append(stream.name, events, 'no_stream');
    expect(await collected(ledger.readStream(stream.name))).toHaveLength(events.length);
  });

  it('says what a server takes that was set to less', async () => {
    const stream = sampleStream(ledger.id);
    server.setFault({ maxAppendSize: 50_000 });
    await expect(ledger.append(stream.name, [stream.next({ padding: 60_000 })], 'no_stream')).rejects.toMatchObject({
      code: 'append_too_large',
      details: { limit: 50_000 },
    });
  });

  it('says that the server cannot be reached when there is none', async () => {
    const gone = await startEventStore({ folder: join(folder, 'gone') });
    const lonely = await open({ patience: 300 }, gone.connectionString);
    await gone.stop();
    const stream = sampleStream(lonely.id);
    await expect(lonely.append(stream.name, [stream.next()], 'no_stream')).rejects.toMatchObject({
      code: 'unreachable',
    });
    await expect(openEventStoreLedger(gone.connectionString, { patience: 200 })).rejects.toMatchObject({
      code: 'unreachable',
    });
  });
});

describe('a subscription', () => {
  it.each([
    ['cut off in the middle, before and after its mark', () => server.setFault({ dropAfterEvents: 3 })],
    ['given every event twice', () => server.setFault({ answerTwice: true })],
    ['given checkpoints with prepare 0', () => server.setFault({ checkpointPrepareZero: true, dropAfterEvents: 5 })],
    ['left by a server that restarts', () => server.restart()],
    ['cut off again and again', () => server.cutConnections()],
  ])('loses nothing and doubles nothing when it is %s', async (_, strike) => {
    const begin = await ledger.head();
    const writer = await open();
    const written = writeStreams(writer, 12);
    const stop = new AbortController();
    const told: StoredEvent[] = [];
    const expected = 12 * 3;
    let struck = 0;
    for await (const each of ledger.subscribeAll(begin, stop.signal)) {
      if ('caughtUp' in each) {
        if (told.length === expected) stop.abort();
        continue;
      }
      told.push(each);
      if (told.length % 5 === 0 && struck < 4) {
        struck += 1;
        await strike();
      }
    }
    expect(struck).toBe(4);
    expect(told.map((each) => each.id).toSorted()).toEqual((await written).toSorted());
    expect(told.map((each) => each.position)).toEqual(told.map((each) => each.position).toSorted());
  });

  it('notices that nothing comes though there is something, and is made again', async () => {
    const troubles: string[] = [];
    const watchful = await open({ deadline: 200, onTrouble: (reason) => troubles.push(reason) });
    const begin = await ledger.head();
    const stream = sampleStream(ledger.id);
    await ledger.append(stream.name, [stream.next()], 'no_stream');
    server.setFault({ muteSubscriptions: true });
    const told: (StoredEvent | CaughtUp)[] = [];
    setTimeout(() => server.setFault({ muteSubscriptions: false }), 500);
    for await (const each of watchful.subscribeAll(begin, new AbortController().signal)) {
      told.push(each);
      if ('caughtUp' in each) break;
    }
    expect(told.map((each) => ('caughtUp' in each ? 'mark' : each.stream))).toEqual([stream.name, 'mark']);
    expect(troubles.length).toBeGreaterThan(0);
  });

  it('does not run ahead of a consumer that is slow', async () => {
    const begin = await ledger.head();
    const stream = sampleStream(ledger.id);
    for (let written = 0; written < 150; written += 10) {
      const events = Array.from({ length: 10 }, () => stream.next({ padding: 70_000 }));
      await ledger.append(stream.name, events, written === 0 ? 'no_stream' : written - 1);
    }
    const before = server.sentEvents();
    let seen = 0;
    for await (const each of ledger.subscribeAll(begin, new AbortController().signal)) {
      if ('caughtUp' in each) break;
      seen += 1;
      if (seen > 1) continue;
      await new Promise((resolve) => setTimeout(resolve, 300));
      // 16 each in the server's call, the client's call and both ends of its subscription, and what is on the way.
      expect(server.sentEvents() - before).toBeLessThan(80);
    }
    expect(seen).toBe(150);
  });

  it('outlasts a server that is away for longer than a call would be tried', async () => {
    const brief = await startEventStore({ folder: join(folder, 'brief') });
    const impatient = await open({ patience: 200, deadline: 100 }, brief.connectionString);
    const stop = new AbortController();
    const told: string[] = [];
    const listening = (async () => {
      for await (const each of impatient.subscribeAll(undefined, stop.signal)) {
        if (!('caughtUp' in each)) told.push(each.id);
      }
    })();
    const first = await writeStreams(impatient, 1);
    await expect.poll(() => told.length).toBe(3);
    await brief.stop();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const back = await startEventStore({ folder: join(folder, 'brief'), port: brief.ports[0]! });
    const patient = await open({}, back.connectionString);
    const second = await writeStreams(patient, 1);
    await expect.poll(() => told, { timeout: 10_000 }).toEqual([...first, ...second]);
    stop.abort();
    await listening;
    await back.stop();
  });

  it('tells what a user may not do instead of trying for ever', async () => {
    const closed = await startEventStore({ folder: join(folder, 'closed'), user: { name: 'a', password: 'b' } });
    await expect(openEventStoreLedger(closed.connectionString)).rejects.toMatchObject({ code: 'invalid_config' });
    await closed.stop();
  });
});

describe('a cluster', () => {
  it('is found by discovery, and followed when another node leads', async () => {
    const cluster = await startEventStore({ folder: join(folder, 'cluster'), nodes: 3 });
    expect(cluster.connectionString).toMatch(/^esdb\+discover:/);
    const own = await open({ name: 'clustered' }, cluster.connectionString);
    const single = await open({ name: 'clustered' }, `esdb://127.0.0.1:${cluster.ports[0]}?tls=false`);
    const stop = new AbortController();
    const told: string[] = [];
    const listening = (async () => {
      for await (const each of single.subscribeAll(undefined, stop.signal)) {
        if (!('caughtUp' in each)) told.push(each.id);
      }
    })();
    const written: string[] = [];
    for (const leader of [1, 2, 0, 1]) {
      written.push(...(await writeStreams(own, 2)), ...(await writeStreams(single, 2)));
      cluster.lead(leader);
      cluster.cutConnections();
    }
    written.push(...(await writeStreams(single, 1)));
    await expect.poll(() => told.length, { timeout: 20_000 }).toBe(written.length);
    stop.abort();
    await listening;
    expect(told.toSorted()).toEqual(written.toSorted());
    await cluster.stop();
  });
});

it('keeps ledgers of one server apart, and what is not of a ledger out of all of them', async () => {
  const [left, right] = [await open({ name: 'left' }), await open({ name: 'right' })];
  expect(left.id).not.toBe(right.id);
  await writeStreams(left, 3);
  const ids = await writeStreams(right, 2);
  await writeStreams(left, 1);
  expect((await collected(right.readAll())).map((each) => each.id)).toEqual(ids);
  expect((await collected(right.readAll({ direction: 'backward' }))).map((each) => each.id)).toEqual(ids.toReversed());
  expect(await right.head()).toBe((await collected(right.readAll())).at(-1)!.position);
  expect(await verifyLedger(right)).toMatchObject({ broken: [], missing: [] });
});

it('opens as one ledger by ten at once where there is none yet', async () => {
  const ten = await Promise.all(Array.from({ length: 10 }, () => open({ name: 'fresh' })));
  expect(new Set(ten.map((each) => each.id)).size).toBe(1);
});

/** Streams of three events each, one append after the other; the ids in the order of writing. */
async function writeStreams(writer: Ledger, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) {
    const stream = sampleStream(writer.id);
    const events = [stream.next(), stream.next(), stream.next()];
    await writer.append(stream.name, events.slice(0, 2), 'no_stream');
    await writer.append(stream.name, events.slice(2), 1);
    ids.push(...events.map((each) => each.id));
  }
  return ids;
}

async function collected(events: AsyncIterable<StoredEvent>): Promise<StoredEvent[]> {
  const found: StoredEvent[] = [];
  for await (const event of events) found.push(event);
  return found;
}
