import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SpawnedEventStore, spawnEventStore } from '#test/engines/eventstoredb/spawn-event-store.js';
import { withEngine } from '#test/engines/with-engine.js';
import { temporaryHome } from '#test/support/built-server.js';
import type { StackClient } from '../mcp-client.js';
import { type Stack, startStack } from '../start-stack.js';

withEngine(
  'postgres',
  'redis',
  'kafka',
)('a lost event store, put back from an older backup beside views, Kafka, keys and Redis of later', () => {
  const files = temporaryHome();
  const at = (name: string) => join(files.path, name);
  let events: SpawnedEventStore;
  let stack: Stack;
  let client: StackClient;
  let token: string;
  beforeAll(async () => {
    events = await spawnEventStore(at('events'));
    stack = await startStack({ engines: { eventstore: events.connectionString } });
    await stack.ready();
    token = await stack.token();
    client = await stack.client(token);
  });
  afterAll(async () => {
    await client?.close().catch(() => undefined);
    await stack?.close();
    await events?.kill();
    files.remove();
  });

  const write = async (content: string) =>
    expect((await client.call('memory_write', { content })).structured).toMatchObject({ status: 'stored' });
  const found = async (query: string): Promise<string[]> => {
    const { structured, text } = await client.call('memory_search', { query, top_k: 20, min_score: 0 });
    expect(structured.notes, text).toBeUndefined();
    return (structured.items as { content: string }[]).map(({ content }) => content).sort();
  };
  const run = async (...args: string[]) => {
    const done = await stack.command(args);
    expect(done.code, `${args.join(' ')}: ${done.stdout}${done.stderr}`).toBe(0);
    return done;
  };
  const findings = async () => {
    const { stdout } = await stack.command(['doctor', '--json']);
    return (JSON.parse(stdout) as { check: string; status: string; says: string }[]).filter(
      ({ status, says }) => status !== 'well' && !says.includes('fsync = off'),
    );
  };

  it('answers from what the ledger holds now, at once and when it has grown past where it was', async () => {
    for (let number = 0; number < 3; number++) await write(`early badger ${number}`);
    await run('backup', 'create', at('early.events'));
    for (let number = 0; number < 8; number++) await write(`lost marmot ${number} ${'of the hill '.repeat(40)}`);
    expect(await found('lost marmot')).toContainEqual(expect.stringMatching(/^lost marmot 7/));
    await client.close();
    await events.kill();
    const ledger = expect.stringMatching(/^the ledger: /);
    for (const [role, health] of [
      ['ingest', { status: 503, missing: [ledger] }],
      ['relay', { status: 503, missing: [ledger] }],
      ['projector', { status: 200, without: [ledger] }],
      ['query', { status: 200, without: [ledger] }],
    ] as const)
      await expect.poll(() => stack.of(role)[0]!.health(), { timeout: 30_000, message: role }).toMatchObject(health);
    for (const service of stack.services) await service.stop();
    rmSync(at('events'), { recursive: true });
    await events.start();

    await run('backup', 'restore', at('early.events'));
    expect(await findings()).toContainEqual(
      expect.objectContaining({ check: 'views', says: expect.stringContaining('at another place') }),
    );
    for (const service of stack.services) service.start();
    await stack.ready();
    client = await stack.client(token);
    const early = ['early badger 0', 'early badger 1', 'early badger 2'];
    expect(await found('early badger marmot')).toEqual(early);
    // Past where the lost one ended.
    for (let number = 0; number < 15; number++) {
      const content = `otter ${number} ${'of the river '.repeat(40)}`.trim();
      await write(content);
      expect(await found(`otter ${number}`)).toContain(content);
    }
    expect(JSON.stringify(await found('lost marmot hill'))).not.toContain('marmot');
    await run('replay', '--check');
    // A generation of its own reads the feed from where it begins, in which the events of before still stand.
    await run('replay');
    await write('the last toucan');
    expect(await found('last toucan')).toContain('the last toucan');
    expect(JSON.stringify(await found('lost marmot hill'))).not.toContain('marmot');
    await run('replay', '--check');
    expect(await findings()).toEqual([]);
    await run('verify');
  }, 500_000);
});
