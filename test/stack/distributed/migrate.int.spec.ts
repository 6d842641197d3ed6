import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withEngine } from '#test/engines/with-engine.js';
import { temporaryHome } from '#test/support/built-server.js';
import { command } from '#test/support/command.js';
import { type Stack, startStack } from '../start-stack.js';

const root = join(import.meta.dirname, '..', '..', '..');

/** The `hindsight-ledger` lines of the console blocks under a heading of docs/migrating.md, as words. */
function commandsUnder(heading: string, to: string): string[][] {
  const page = readFileSync(join(root, 'docs/migrating.md'), 'utf8');
  const section = page.split(/^## /m).find((each) => each.startsWith(heading)) ?? '';
  return [...section.matchAll(/```console\n([\s\S]*?)```/g)]
    .flatMap((block) => block[1]!.split('\n'))
    .filter((line) => line.startsWith('hindsight-ledger '))
    .map((line) =>
      line
        .split(' ')
        .slice(1)
        .map((word) => (word.startsWith('"$') ? to : word)),
    );
}

withEngine(
  'postgres',
  'redis',
  'kafka',
)('a ledger that is moved as docs/migrating.md says', () => {
  const home = temporaryHome();
  const back = temporaryHome();
  let engines: Stack;
  let stack: Stack | undefined;
  beforeAll(async () => {
    engines = await startStack({ services: {} });
  });
  afterAll(async () => {
    await stack?.close();
    await engines?.close();
    home.remove();
    back.remove();
  });

  it('answers in the services as it did before, and back in a home as it did there', async () => {
    const hl = (args: readonly string[], env: Record<string, string> = {}) => command(home.path, args, { env });
    for (let day = 1; day <= 12; day++)
      await hl(['write', `the deploy of day ${day} took ${day * 3} minutes`, '--key', `deploy.${day % 5}`]);
    const asked = { query: 'how long did the deploy take', top_k: 6 };
    const before = JSON.parse((await hl(['search', asked.query, '--top-k', '6', '--json'])).stdout);
    expect(before.items.length).toBeGreaterThan(3);

    const url = engines.eventStore!.connectionString;
    const keys = { HINDSIGHT_LEDGER_EVENTSTORE_URL: url, HINDSIGHT_LEDGER_KEYS_URL: engines.databases.keysUrl };
    const there = commandsUnder('From a home', url);
    expect(there.map(([verb]) => verb)).toEqual(['verify', 'migrate']);
    for (const words of there) {
      const done = await hl(words, keys);
      expect(done.code, `${words.join(' ')}: ${done.stderr}`).toBe(0);
    }
    expect((await hl(['write', 'too late'])).stderr).toContain('ledger_moved');

    stack = await startStack({
      engines: { eventstore: url },
      env: { ...keys, HINDSIGHT_LEDGER_MASTER_KEY_FILE: join(home.path, 'master.key') },
    });
    await stack.ready();
    const client = await stack.client(await stack.token());
    const again = await client.call('memory_search', { ...asked, basis: before.basis });
    expect(again.structured.items, again.text).toEqual(before.items);
    const written = await client.call('memory_write', { content: 'the deploy server is called badger now' });
    expect(written.structured, written.text).toMatchObject({ status: 'stored' });
    const later = await client.call('memory_search', { query: 'deploy server badger' });
    await client.close();

    const leaving = commandsUnder('Back', back.path);
    expect(leaving.map(([verb]) => verb)).toEqual(['migrate']);
    for (const words of leaving) {
      const done = await stack.command(words);
      expect(done.code, `${words.join(' ')}: ${done.stderr}`).toBe(0);
    }
    const refused = await stack.command(['write', 'too late']);
    expect(refused, refused.stderr).toMatchObject({ code: 3, stderr: expect.stringContaining('ledger_moved') });

    for (const [query, answer] of [
      [asked.query, before],
      ['deploy server badger', later.structured],
    ] as const) {
      const args = ['search', query, '--top-k', query === asked.query ? '6' : '5', '--basis', answer.basis, '--json'];
      expect(JSON.parse((await command(back.path, args)).stdout).items).toEqual(answer.items);
    }
    expect((await command(back.path, ['write', 'and on it goes'])).code).toBe(0);
  });
});
