import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { engine } from '#test/engines/engines.js';
import { startTcpProxy, type TcpProxy } from '#test/engines/tcp-proxy.js';
import { withEngine } from '#test/engines/with-engine.js';
import { temporaryHome } from '#test/support/built-server.js';
import type { StackClient } from '../mcp-client.js';
import { type Stack, startStack } from '../start-stack.js';

interface Finding {
  readonly check: string;
  readonly status: string;
  readonly says: string;
  readonly mend?: string;
}

/** The servers of tests run without fsync, and rightly hear of it. */
const findings = async (stack: Stack): Promise<Finding[]> => {
  const all = JSON.parse((await stack.command(['doctor', '--json'])).stdout) as Finding[];
  return all.filter(({ status, says }) => status !== 'well' && !says.includes('fsync = off'));
};

const asked = { query: 'how long did the deploy take', top_k: 6 };

withEngine(
  'postgres',
  'redis',
  'kafka',
)('a backup of the distributed profile', () => {
  const files = temporaryHome();
  const at = (name: string) => join(files.path, name);
  let redis: TcpProxy;
  let stack: Stack;
  let elsewhere: Stack | undefined;
  let restored: Stack | undefined;
  let client: StackClient;
  let before: { readonly items: unknown[]; readonly basis: string };
  beforeAll(async () => {
    mkdirSync(files.path, { recursive: true });
    redis = await startTcpProxy(engine('redis'));
    stack = await startStack({ engines: { redis: redis.through(engine('redis')) } });
    await stack.ready();
    client = await stack.client(await stack.token({ roles: 'reader,writer,eraser' }));
    for (let day = 1; day <= 12; day++)
      await client.call('memory_write', { content: `the deploy of day ${day} took ${day * 3} minutes` });
    for (const content of ['Adelheid likes otters', 'Adelheid lives in Ghent'])
      await client.call('memory_write', { content, subjects: ['Adelheid'] });
    before = (await client.call('memory_search', asked)).structured as unknown as typeof before;
    expect(before.items.length).toBeGreaterThan(3);
  });
  afterAll(async () => {
    await client?.close().catch(() => undefined);
    for (const each of [restored, elsewhere, stack]) await each?.close();
    await redis?.close();
    files.remove();
  });

  const hl = async (of: Stack, args: readonly string[], env: Record<string, string> = {}) => {
    const done = await of.command(args, { env });
    expect(done.code, `${args.join(' ')}: ${done.stdout}${done.stderr}`).toBe(0);
    return done;
  };

  it('is made while services write, and holds neither content nor the master key', async () => {
    const writing = client.call('memory_write', { content: 'written while the backup is made' });
    await hl(stack, ['backup', 'create', at('old.events')]);
    expect((await writing).structured).toMatchObject({ status: 'stored' });
    const master = readFileSync(join(stack.home, 'master.key'), 'latin1').split('\n')[2]!.split(' ')[1]!;
    for (const file of ['old.events', 'old.events.keys']) {
      const text = readFileSync(at(file), 'latin1');
      for (const secret of ['Adelheid', 'otter', 'deploy', master]) expect(text.includes(secret), secret).toBe(false);
    }
    expect(await findings(stack)).toEqual([]);
  });

  it('holds an erasure up unless the copy of the keys is let go of; the doctor names what waits, and an old copy', async () => {
    const erasing = ['erase', '--subject', 'Adelheid', '--reason', 'asked to', '--yes'];
    expect((await stack.command(erasing)).stderr).toMatch(/^key_backup_needed/m);
    copyFileSync(join(stack.home, 'master.key'), at('old.master.key'));
    // What is hot cannot be purged: the keys are gone, and the rest waits.
    await redis.refuse();
    const held = stack.command([...erasing, '--no-key-backup']);
    await expect
      .poll(async () => (await findings(stack)).find(({ check }) => check === 'erasures'), {
        timeout: 60_000,
        interval: 500,
      })
      .toMatchObject({
        status: 'warning',
        says: expect.stringMatching(/^1 erasure is ordered and not completed; the first is [0-9a-f-]{36}/),
        mend: expect.stringContaining('while an ingest service runs'),
      });
    for (const service of [...stack.of('query'), ...stack.of('ingest')])
      expect(await service.health()).toMatchObject({ status: 200, without: [expect.stringMatching(/^Redis: /)] });
    await redis.pass();
    const done = await held;
    expect(done, done.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/^erased: 2 memories/m) });
    await expect
      .poll(async () => (await findings(stack)).map(({ check }) => check), { timeout: 90_000, interval: 1_000 })
      .toEqual(['backup']);
    expect((await findings(stack))[0]).toMatchObject({ says: expect.stringContaining('older than the last erasure') });
    await hl(stack, ['backup', 'create', at('new.events')]);
    expect(await findings(stack)).toEqual([]);
  });

  it('goes into empty engines only, answers there as before, and what was erased since is erased there, too', async () => {
    const files = [at('old.events'), '--erasures', at('new.events')];
    const refused = await stack.command(['backup', 'restore', ...files]);
    expect(refused.code, refused.stdout).not.toBe(0);

    elsewhere = await startStack({ services: {} });
    const master = { HINDSIGHT_LEDGER_MASTER_KEY_FILE: at('restored.master.key') };
    copyFileSync(at('old.master.key'), master.HINDSIGHT_LEDGER_MASTER_KEY_FILE);
    const done = await hl(elsewhere, ['backup', 'restore', ...files, '--json'], master);
    expect(JSON.parse(done.stdout)).toMatchObject({ again: { erasures: 1, memories: 2 } });

    restored = await startStack({
      engines: { eventstore: elsewhere.eventStore!.connectionString },
      env: { HINDSIGHT_LEDGER_KEYS_URL: elsewhere.databases.keysUrl, ...master },
    });
    await restored.ready();
    await hl(restored, ['verify', '--contents']);
    const there = await restored.client(await restored.token());
    // As at the place that it was copied from, which was erased from, too: of the basis before, both say so.
    const past = { ...asked, basis: before.basis };
    const again = await there.call('memory_search', past);
    const here = await client.call('memory_search', past);
    expect(again.structured.items, again.text).toEqual(here.structured.items);
    expect(again.structured).toMatchObject({ altered_by_erasure: true });
    expect(again.structured.items).toHaveLength(before.items.length);
    for (const query of ['Adelheid otters', 'who lives in Ghent'])
      expect(JSON.stringify(await there.call('memory_search', { query, min_score: 0 }))).not.toMatch(/likes|lives in/);
    const written = await there.call('memory_write', { content: 'and on it goes' });
    expect(written.structured, written.text).toMatchObject({ status: 'stored' });
    await there.close();
  });
});
