import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { v7 } from 'uuid';
import { afterAll, expect, it } from 'vitest';
import { createCommands } from '#ingest/create-commands.js';
import { openEventStoreLedger } from '#ledger/eventstoredb/eventstoredb-ledger.js';
import { createFedProjector } from '#projector/fed/create-fed-projector.js';
import { createMemoryFeed } from '#projector/feed/test-support/memory-feed.js';
import { observedPublisher } from '#projector/observed-publisher.js';
import { allProjections } from '#projector/projections/all-projections.js';
import { isTaken } from '#projector/projections/projection.js';
import { runRelay } from '#projector/relay/run-relay.js';
import { tracedCommits } from '#projector/traced-commits.js';
import { createMcpServer } from '#query/mcp/create-mcp-server.js';
import { fakePorts } from '#query/mcp/testing/fake-ports.js';
import { startEventStore } from '#test/engines/eventstoredb/start-event-store.js';
import { testVault } from '#test/test-vault.js';
import { openSqliteViews } from '#views/sqlite/open-sqlite-views.js';
import { observedCommands } from '../observed-commands.js';
import { observedLedger } from '../observed-ledger.js';
import { prometheusMeters } from '../prometheus/prometheus-meters.js';
import { openTracer } from './open-tracer.js';
import { otlpReceiver, type ReceivedSpan } from './test-support/otlp-receiver.js';

const folder = mkdtempSync(join(tmpdir(), 'hl-trace-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Those that a write concerns. */
const concerned = allProjections.filter((each) => isTaken(each, 'MemoryRecorded')).length;
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;

it('follows one write from the tool call through ledger and relay to where it is read, as one trace without content', async () => {
  await using receiver = await otlpReceiver();
  const server = await startEventStore({ folder });
  const stopping = new AbortController();
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const meters = prometheusMeters();
  const tracers = ['query', 'ingest', 'relay', 'projector'].map((role) =>
    openTracer({ url: receiver.url, service: `hindsight-ledger-${role}`, version: '1', everyMs: 50 }),
  );
  const [query, ingest, relay, projector] = tracers.map(({ tracer }) => tracer);

  const open = () => openEventStoreLedger(server.connectionString);
  const [written, read] = [await open(), await open()];
  const vault = await testVault();
  const views = await openSqliteViews(join(folder, 'views.db'), { ledger: written.id, shapes: allProjections, log });
  const sources = { now: Date.now, uuid: () => v7(), random: randomBytes };
  const carriedOut = observedCommands(
    createCommands({
      ledger: observedLedger(written, { meters, tracer: ingest! }),
      vault,
      sources,
      recipe: 'r1',
      matching: async () => [],
      isOfAnotherBank: async () => false,
    }),
    { meters, tracer: ingest, kind: 'server' },
  );
  const bank = await carriedOut.bankNamed('default');
  const memoryFeed = createMemoryFeed(1);
  const running = [
    runRelay(
      {
        ledger: read,
        openPublisher: async () => observedPublisher(await memoryFeed.openPublisher(), { meters, tracer: relay }),
        elect: (lead, signal) => lead(signal),
        log,
      },
      stopping.signal,
    ),
    createFedProjector({
      feed: memoryFeed.feed,
      ledger: read,
      views,
      vault,
      log,
      onCommitted: tracedCommits(projector!),
      onVisible: meters.becameVisible,
    }).run(stopping.signal),
  ];

  const commands = observedCommands(carriedOut, { tracer: query, kind: 'client' });
  const { queries } = fakePorts();
  const mcp = createMcpServer({
    commands,
    queries,
    caller: { bank, principal: 'os:ada', roles: ['reader', 'writer'] },
    bankName: 'default',
    log,
    version: '1',
    tracer: query,
  });
  const client = new Client({ name: 'spec', version: '1' });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([mcp.connect(there), client.connect(here)]);
  await client.callTool({
    name: 'memory_write',
    arguments: { content: 'Quillfeather owns the gateway', key: 'owner.Brambletoft', tags: ['Ottersworth'] },
    _meta: { traceparent },
  });

  const mine = () => receiver.spans.filter((span) => span.traceId === traceId);
  const named = (name: string) => mine().filter((span) => span.name === name);
  while (named('projector commit').length < concerned || named('relay publish').length === 0)
    await new Promise((resolve) => setTimeout(resolve, 20));
  stopping.abort();
  await Promise.all(running);
  await client.close();
  for (const each of tracers) await each.close();
  await views.close();
  await Promise.all([written.close(), read.close(), vault.close()]);
  await server.stop();

  const chain = ['tool memory_write', 'command write', 'command write', 'append', 'relay publish'];
  let parent: ReceivedSpan | undefined;
  for (const name of chain) {
    const expected = parent?.spanId ?? '00f067aa0ba902b7';
    parent = named(name).find(({ parentSpanId }) => parentSpanId === expected);
    expect(parent, `${name} under ${expected}`).toBeDefined();
  }
  const [append] = named('append');
  const commits = named('projector commit');
  expect(new Set(commits.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([append!.spanId]));
  expect(commits).toHaveLength(concerned);
  for (const word of ['Quillfeather', 'Brambletoft', 'Ottersworth']) expect(receiver.bodies.join()).not.toContain(word);

  const figures = await meters.read();
  for (const line of [
    'hindsight_ledger_appended_events_total{type="MemoryRecorded"} 1',
    'hindsight_ledger_appended_events_total{type="BankCreated"} 1',
    'hindsight_ledger_commands_total{command="write",outcome="stored"} 1',
    'hindsight_ledger_relayed_events_total 2',
  ])
    expect(figures).toContain(line);
  expect(figures).toMatch(/hindsight_ledger_visible_seconds_count\{projection="memories"\} [12]\b/);
});
