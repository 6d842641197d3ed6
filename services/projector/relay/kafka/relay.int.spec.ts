import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { bankOfStream } from '#events/stream-name.js';
import type { Ledger, StoredEvent } from '#ledger/ledger.js';
import { openSqliteLedger } from '#ledger/sqlite/sqlite-ledger.js';
import { type KafkaEngine, startKafka } from '#test/engines/kafka/start-kafka.js';
import { withOwnEngine } from '#test/engines/with-engine.js';
import { partitionOf } from '#views/partition.js';
import { appliedOnce, until } from '../../feed/feed.contract.js';
import type { FedBatch } from '../../feed/feed.js';
import { openKafkaFeed } from '../../feed/kafka/kafka-feed.js';
import { openKafkaPublisher } from '../../feed/kafka/kafka-publisher.js';
import { appendOne, bankEvent, startLoad } from '../test-support/bank-writer.js';
import { relayProcesses, type SpawnedRelay } from '../test-support/spawn-relay.js';

const partitions = 4;
/** ms */
const session = 1_000;
const folder = mkdtempSync(join(tmpdir(), 'hl-relay-'));
const log = { info() {}, warn() {} };

withOwnEngine('kafka')('the relay over Kafka', () => {
  let kafka: KafkaEngine;
  let ledger: Ledger;
  let relays: Awaited<ReturnType<typeof relayProcesses>>;
  let number = 0;
  let stopping: AbortController;
  let running: Promise<unknown>[];

  beforeAll(async () => {
    kafka = await startKafka();
  });
  afterAll(async () => {
    await kafka?.remove();
    rmSync(folder, { recursive: true });
  });

  beforeEach(async () => {
    number += 1;
    const file = join(folder, `${number}.db`);
    ledger = await openSqliteLedger(file);
    relays = await relayProcesses(file, kafka.brokers, partitions, session);
    stopping = new AbortController();
    running = [];
  });
  afterEach(async () => {
    await relays.end();
    stopping.abort();
    await Promise.all(running);
    await ledger.close();
  });

  /** Written to until it is stopped, at the test's end at the latest. */
  function loaded(): ReturnType<typeof startLoad> {
    const load = startLoad(ledger);
    stopping.signal.addEventListener('abort', () => running.push(load.stop()));
    return load;
  }

  const place = () => ({ brokers: [kafka.brokers], ledger: ledger.id, partitions });

  /** What one group is given until the test's end. */
  function consumed(group = 'all'): FedBatch[] {
    const seen: FedBatch[] = [];
    const feed = openKafkaFeed({ ...place(), log, sessionTimeout: session });
    const consuming = feed.consume(group, async (batch) => void seen.push(batch), stopping.signal);
    running.push(consuming.finally(() => feed.close()));
    return seen;
  }

  async function activeOf(all: readonly SpawnedRelay[]): Promise<SpawnedRelay> {
    await until(() => all.some((each) => each.isActive()));
    return all.find((each) => each.isActive())!;
  }

  /** Each partition, without what came again, is exactly the ledger's. @throws Error at a gap */
  async function expectAll(seen: readonly FedBatch[]): Promise<void> {
    const head = (await ledger.head())!;
    const reached = (partition: number) => seen.some((batch) => batch.partition === partition && batch.to >= head);
    await until(() => [0, 1, 2, 3].every(reached));
    const expected = Array.from({ length: partitions }, (): StoredEvent[] => []);
    for await (const event of ledger.readAll())
      expected[partitionOf(bankOfStream(event.stream), partitions)]!.push(event);
    const ids = (events: readonly { id: string }[]) => events.map(({ id }) => id);
    for (const [partition, applied] of appliedOnce(seen, partitions).entries()) {
      expect(ids(applied.map(({ event }) => event))).toEqual(ids(expected[partition]!));
    }
  }

  it('carries each event as it is stored, with the system time of the whole ledger, but no seals', async () => {
    const seen = consumed();
    relays.spawn();
    const times = ['2026-03-01T10:00:00.000Z', '2026-03-01T09:00:00.000Z', '2026-03-01T11:00:00.000Z'];
    const events = times.map((recordedAt, index) => bankEvent(ledger.id, `b${index}`, { recordedAt }));
    const damaged = { ...bankEvent(ledger.id, 'b3'), bytes: Buffer.from('no event at all') };
    const seal = bankEvent(ledger.id, 'b0', { category: 'seal', recordedAt: '2026-03-01T12:00:00.000Z' });
    for (const event of [...events, damaged, seal]) await appendOne(ledger, event);
    const head = (await ledger.head())!;
    await until(
      () => new Set(seen.filter(({ to }) => to >= head).map(({ partition }) => partition)).size === partitions,
    );
    const fed = appliedOnce(seen, partitions)
      .flat()
      .sort((one, other) => (one.event.position < other.event.position ? -1 : 1));
    expect(fed.map(({ event }) => event.id)).toEqual([...events, damaged].map(({ id }) => id));
    expect(fed.map(({ systemTime }) => systemTime)).toEqual([times[0], times[0], times[2], times[2]]);
    expect(Buffer.from(fed[3]!.event.bytes).toString()).toBe('no event at all');
    for (const [index, { event }] of fed.entries()) {
      const stored = [...events, damaged][index]!;
      expect(Buffer.compare(event.bytes, stored.bytes)).toBe(0);
      expect(Buffer.compare(event.hash, stored.hash)).toBe(0);
    }
    expect(seen.findLast(({ partition }) => partition === 0)?.systemTime).toBe('2026-03-01T12:00:00.000Z');
  });

  it('carries appends as large as the ledger takes them', async () => {
    const seen = consumed();
    relays.spawn();
    for (let each = 0; each < 5; each += 1)
      await appendOne(ledger, bankEvent(ledger.id, 'b1', { padding: 767 * 1024 }));
    await expectAll(seen);
  });

  it('never skips an event, though the active relay is killed twenty times under load', async () => {
    const seen = consumed();
    const load = loaded();
    let all = [relays.spawn(), relays.spawn()];
    const takeovers: number[] = [];
    for (let kill = 0; kill < 20; kill += 1) {
      const active = await activeOf(all);
      await sleep(Math.random() * 400);
      active.signal('SIGKILL');
      const killed = Date.now();
      await active.gone();
      all = all.filter((each) => each !== active);
      await activeOf(all);
      takeovers.push(Date.now() - killed);
      all.push(relays.spawn());
    }
    await load.stop();
    await expectAll(seen);
    takeovers.sort((one, other) => one - other);
    console.info(
      `take-over after SIGKILL, session ${session} ms: median ${takeovers[10]} ms, worst ${takeovers[19]} ms`,
    );
  }, 600_000);

  it('refuses what a relay publishes that was away while another took over, and shows nothing of it', async () => {
    const seen = consumed();
    const load = loaded();
    const all = [relays.spawn(), relays.spawn()];
    for (let round = 0; round < 3; round += 1) {
      const zombie = await activeOf(all);
      const other = all.find((each) => each !== zombie)!;
      await sleep(Math.random() * 300);
      zombie.signal('SIGSTOP');
      await until(() => other.isActive());
      const before = zombie.said.length;
      zombie.signal('SIGCONT');
      await until(() => zombie.said.slice(before).some(({ sentence }) => /interrupted|stands by/.test(sentence)));
      expect(zombie.said.slice(before).filter(({ code }) => code !== undefined && code !== 'relay_superseded')).toEqual(
        [],
      );
      await sleep(2 * session);
      expect([zombie.isActive(), other.isActive()]).toEqual([false, true]);
    }
    expect(all.flatMap(({ said }) => said).some(({ code }) => code === 'relay_superseded')).toBe(true);
    await load.stop();
    await expectAll(seen);
  });

  it('hands over at once when it is told to end', async () => {
    const seen = consumed();
    const load = loaded();
    const first = relays.spawn();
    await until(() => first.isActive());
    const second = relays.spawn();
    await sleep(1_500);
    expect(second.isActive()).toBe(false);
    first.signal('SIGTERM');
    await first.gone();
    expect(first.said.at(-1)?.sentence).toBe('ended');
    await until(() => second.isActive());
    await load.stop();
    await expectAll(seen);
  });

  it('waits out a broker that is killed under load and comes back, and one that is away for longer than a client tries', async () => {
    const seen = consumed();
    const load = loaded();
    const all = [relays.spawn(), relays.spawn()];
    await activeOf(all);
    const recoveries: string[] = [];
    for (const away of [0, 500, 25_000]) {
      await kafka.kill();
      await sleep(away);
      await kafka.start();
      const started = Date.now();
      const written = await ledger.head();
      await until(() => seen.some(({ to }) => to > written!));
      recoveries.push(`${Date.now() - started} ms after an outage of ${away} ms`);
    }
    console.info(`visible again ${recoveries.join(', ')}`);
    await load.stop();
    await expectAll(seen);
  });

  it('begins anew when Kafka has lost everything, and so do its consumers', async () => {
    const seen = consumed();
    const load = loaded();
    const all = [relays.spawn(), relays.spawn()];
    await activeOf(all);
    const written = await ledger.head();
    await until(() => seen.some(({ to }) => to > written!));
    await kafka.kill();
    await kafka.wipe();
    await kafka.start();
    const after = await ledger.head();
    await until(() => seen.some(({ to }) => to > after!));
    await load.stop();
    await expectAll(seen);
    await expectAll(consumed('new'));
  });

  it('says so when the events’ topic has another number of partitions', async () => {
    await (await openKafkaPublisher(place())).close();
    const other = { ...place(), partitions: partitions + 1 };
    await expect(openKafkaPublisher(other)).rejects.toMatchObject({
      code: 'invalid_config',
      details: { found: 4, expected: 5 },
    });
    const feed = openKafkaFeed({ ...other, log });
    await expect(feed.consume('all', async () => {}, stopping.signal)).rejects.toMatchObject({
      code: 'invalid_config',
    });
    await feed.close();
  });
});
