import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withEngine } from '#test/engines/with-engine.js';
import { type Answer, startServer } from '#test/support/built-server.js';
import type { StackClient } from '../mcp-client.js';
import { type Stack, startStack } from '../start-stack.js';

/** On a machine that does many things at once an answer may say that it could not wait long enough: asked again then. */
async function search(client: Pick<StackClient, 'call'>, query: string): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const found = await client.call('memory_search', { query, top_k: 1 });
    if (found.structured.notes === undefined || tries === 10) return found;
  }
}

withEngine(
  'postgres',
  'redis',
  'kafka',
)('the distributed profile', () => {
  describe('as four services', () => {
    let stack: Stack;
    let client: StackClient;
    beforeAll(async () => {
      stack = await startStack();
      await stack.ready();
      client = await stack.client(await stack.token());
    });
    afterAll(async () => {
      await client?.close().catch(() => undefined);
      await stack?.close();
    });

    it('lets what was written be found at once, revised, forgotten and restored', async () => {
      for (let at = 0; at < 5; at++) {
        const content = `deploys go out on day ${at}`;
        const written = await client.call('memory_write', { content, key: 'deploy.day' });
        expect(written.structured, written.text).toMatchObject({ status: 'stored', version: at + 1 });
        const found = await search(client, `deploys day ${at}`);
        expect(found.structured, found.text).toMatchObject({ items: [{ content, version: at + 1 }] });
      }
      const history = await client.call('memory_history', { key: 'deploy.day' });
      const memory_id = history.structured.memory_id as string;
      expect(history.structured.entries).toHaveLength(5);
      const forgotten = await client.call('memory_forget', { memory_id, reason: 'wrong' });
      expect(forgotten.structured, forgotten.text).toMatchObject({ status: 'forgotten' });
      expect((await search(client, 'deploys day')).structured).toMatchObject({ items: [] });
      const restored = await client.call('memory_restore', { memory_id, reason: 'right after all' });
      expect(restored.structured, restored.text).toMatchObject({ status: 'restored', item: { version: 5 } });
    });

    it('shows by a dry run what a filter means, and forgets that', async () => {
      const items = [1, 2, 3].map((each) => ({ content: `scratch note ${each}`, tags: ['scratch'] }));
      expect((await client.call('memory_write', { items })).structured).toMatchObject({ status: 'stored' });
      const filter = { tags: ['scratch'] };
      const planned = await client.call('memory_forget', { filter, reason: 'done' });
      expect(planned.structured, planned.text).toMatchObject({ status: 'dry_run', total: 3 });
      const { confirm } = planned.structured;
      const done = await client.call('memory_forget', { filter, reason: 'done', confirm });
      expect(done.structured.forgotten, done.text).toHaveLength(3);
    });

    it('answers verbs over the same engines, and sees what they wrote', async () => {
      const written = await stack.command(['write', 'the command writes to the ledger too', '--json']);
      expect(written.code, written.stderr).toBe(0);
      const found = await search(client, 'command writes ledger');
      expect(found.structured).toMatchObject({ items: [{ content: 'the command writes to the ledger too' }] });
      const searched = await stack.command(['search', 'command writes ledger', '--json']);
      expect(searched.code, searched.stderr).toBe(0);
      expect(JSON.parse(searched.stdout).items[0].content).toBe('the command writes to the ledger too');
      for (const args of [
        ['stats'],
        ['bank', 'list'],
        ['token', 'list'],
        ['history', '--key', 'deploy.day'],
        ['verify'],
      ]) {
        const done = await stack.command(args);
        expect(done.code, `${args.join(' ')}: ${done.stdout}${done.stderr}`).toBe(0);
      }
    });

    it('serves agents over stdio, too, in a process that needs no other service to write', async () => {
      const server = await startServer(stack.home, { env: { ...stack.env } });
      const content = 'over stdio into the same ledger';
      expect((await server.call('memory_write', { content })).structured).toMatchObject({ status: 'stored' });
      expect((await search(server, 'over stdio into')).structured).toMatchObject({ items: [{ content }] });
      expect((await search(client, 'over stdio into')).structured).toMatchObject({ items: [{ content }] });
      await server.close();
    });

    it('is in order, as the doctor sees it', async () => {
      const { code, stdout, stderr } = await stack.command(['doctor', '--json']);
      const findings = JSON.parse(stdout) as { check: string; status: string; says: string }[];
      expect(
        // The servers of tests run without fsync, and rightly hear of it.
        findings.filter(({ status, says }) => status !== 'well' && !says.includes('fsync = off')),
        stderr,
      ).toEqual([]);
      const checks = findings.map(({ check }) => check);
      for (const each of ['ledger', 'keys', 'views', 'feed', 'redis', 'ingest', 'projections', 'clock'])
        expect(checks).toContain(each);
      expect(code).toBe(0);
    });

    it('tells its figures', async () => {
      const figures = await Promise.all(
        stack.services.map(async ({ role, url }) => [role, await (await fetch(`${url}/metrics`)).text()] as const),
      );
      const of = new Map(figures);
      expect(of.get('ingest')).toMatch(/hindsight_ledger_commands_total\{command="write",outcome="stored"\} [1-9]/);
      expect(of.get('ingest')).toMatch(/appended_events_total\{type="MemoryRecorded"\} [1-9]/);
      expect(of.get('relay')).toMatch(/hindsight_ledger_relay_active 1/);
      expect(of.get('relay')).toMatch(/hindsight_ledger_relayed_events_total [1-9]/);
      expect(of.get('projector')).toMatch(/visible_seconds_count\{projection="versions"\} [1-9]/);
      expect(of.get('query')).toMatch(/recall_seconds_count\{leg="all"\} [1-9]/);
    });

    it('says which service is away, and goes on without a hand when it is back', async () => {
      const [ingest] = stack.of('ingest');
      const [query] = stack.of('query');
      await ingest!.kill();
      await expect
        .poll(() => query!.health(), { timeout: 15_000 })
        .toMatchObject({
          status: 503,
          missing: [expect.stringMatching(/^ingest: /)],
        });
      expect((await client.call('memory_search', { query: 'command writes' })).isError).toBe(false);
      const writing = client.call('memory_write', { content: 'written while ingest was away' });
      ingest!.start();
      expect((await writing).structured).toMatchObject({ status: 'stored' });
      for (const role of ['relay', 'projector'] as const) {
        const [service] = stack.of(role);
        await service!.kill();
        const content = `written while the ${role} was away`;
        expect((await client.call('memory_write', { content })).structured).toMatchObject({ status: 'stored' });
        service!.start();
        await expect
          .poll(async () => (await client.call('memory_search', { query: content, top_k: 1 })).structured, {
            timeout: 60_000,
          })
          .toMatchObject({ items: [{ content }] });
      }
      await stack.ready();
    });

    it('stops when it is told to', async () => {
      for (const service of [...stack.services].reverse()) expect(await service.stop(), service.role).toBe(0);
    });
  });

  describe('as two of each', () => {
    let stack: Stack;
    beforeAll(async () => {
      stack = await startStack({ services: { ingest: 2, relay: 2, projector: 2, query: 2 } });
      await stack.ready();
    });
    afterAll(() => stack?.close());

    it('goes on when one of each is killed, and reads through one what was written through the other', async () => {
      const token = await stack.token();
      const [one, other] = await Promise.all(stack.of('query').map((query) => stack.client(token, query)));
      const roundTrip = async (content: string) => {
        expect((await one!.call('memory_write', { content })).structured).toMatchObject({ status: 'stored' });
        expect((await search(other!, content)).structured).toMatchObject({ items: [{ content }] });
      };
      await roundTrip('before anything was killed');
      for (const role of ['ingest', 'relay', 'projector'] as const) {
        await stack.of(role)[0]!.kill();
        await roundTrip(`while one ${role} is gone`);
      }
      for (const service of stack.services) service.start();
      await stack.ready();
      await stack.of('ingest')[1]!.stop();
      await roundTrip('through the ingest service that came back');
      await one!.close();
      await other!.close();
      const verified = await stack.command(['verify']);
      expect(verified.code, verified.stdout + verified.stderr).toBe(0);
    });
  });

  describe('before its first start', () => {
    let stack: Stack;
    beforeAll(async () => {
      stack = await startStack({ services: {} });
    });
    afterAll(() => stack?.close());

    it('lacks what the doctor names, and has it when he has mended it', async () => {
      const sick = await stack.command(['doctor', '--json']);
      const wrong = (JSON.parse(sick.stdout) as { check: string; status: string; mend: string }[]).filter(
        ({ status }) => status === 'wrong',
      );
      expect(wrong.map(({ check }) => check).sort()).toEqual(['feed', 'keys', 'views']);
      for (const { mend } of wrong) expect(mend).toMatch(/`doctor --fix` does it/);
      expect(sick.code).toBe(1);
      const mended = await stack.command(['doctor', '--fix', '--json']);
      expect(mended.code, mended.stdout + mended.stderr).toBe(0);
      const well = JSON.parse((await stack.command(['doctor', '--json'])).stdout) as { status: string }[];
      expect(well.filter(({ status }) => status === 'wrong')).toEqual([]);
    });

    it('says in one line which settings are missing, and shows no password', async () => {
      const bare = { HINDSIGHT_LEDGER_EVENTSTORE_URL: '', HINDSIGHT_LEDGER_KEYS_URL: '' };
      const lacking = await stack.command(['write', 'x'], { env: bare });
      expect(lacking.code).toBe(2);
      expect(lacking.stderr).toMatch(/HINDSIGHT_LEDGER_EVENTSTORE_URL, HINDSIGHT_LEDGER_KEYS_URL, which are not set/);
      const env = { HINDSIGHT_LEDGER_KEYS_URL: 'postgres://ann:secret-word@127.0.0.1:1/keys' };
      const shown = await stack.command(['config'], { env });
      expect(shown.stdout).toContain('postgres://ann:***@127.0.0.1:1/keys');
      const failing = await stack.command(['write', 'x'], { env });
      expect(failing.stderr).toMatch(/^keys_unreachable/);
      expect(failing.code).toBe(3);
      expect(shown.stdout + shown.stderr + failing.stdout + failing.stderr).not.toContain('secret-word');
    });
  });

  describe('as one process', () => {
    let stack: Stack;
    beforeAll(async () => {
      stack = await startStack({ services: { all: 1 }, engines: { redis: null } });
      await stack.ready();
    });
    afterAll(() => stack?.close());

    it('serves all of it, without Redis too', async () => {
      const client = await stack.client(await stack.token());
      const content = 'one process does it all';
      expect((await client.call('memory_write', { content })).structured).toMatchObject({ status: 'stored' });
      expect((await search(client, 'process does')).structured).toMatchObject({
        items: [{ content }],
      });
      await client.close();
      expect(await stack.services[0]!.stop()).toBe(0);
    });
  });
});
