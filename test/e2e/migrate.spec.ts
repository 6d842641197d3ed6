import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { temporaryHome } from '#test/support/built-server.js';
import { command } from '#test/support/command.js';
import { parsed } from '#test/support/fresh-homes.js';

const [from, to] = [temporaryHome(), temporaryHome()];
afterAll(() => {
  from.remove();
  to.remove();
});
const target = join(to.path, 'home');
interface Found {
  readonly items: readonly { id: string; content: string; score: number }[];
  readonly basis: string;
}

it('moves a home by the command: refused without consent, then once, and the old one says where it is', async () => {
  const hl = (...args: string[]) => command(from.path, args);
  await hl('write', 'Deploys go out on Thursdays', '--key', 'deploy.day');
  await hl('write', 'The deploy server is called otter');
  const before = parsed<Found>(await hl('search', 'deploys server', '--min-score', '0', '--json'));
  expect(before.items).toHaveLength(2);

  expect(await hl('migrate', '--to', 'mysql://somewhere', '--yes')).toMatchObject({ code: 2 });
  const asked = await hl('migrate', '--to', target);
  expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
  expect(existsSync(target)).toBe(false);
  expect((await hl('migrate', '--to', 'esdb://127.0.0.1:1', '--yes')).stderr).toContain('HINDSIGHT_LEDGER_KEYS_URL');

  const moved = await hl('migrate', '--to', target, '--yes');
  expect(moved).toMatchObject({ code: 0, stdout: expect.stringMatching(/^moved to .*every hash and chain is right/) });
  expect(await hl('migrate', '--to', target, '--yes')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('moved before'),
  });

  const late = await hl('write', 'too late');
  expect(late.code).toBe(3);
  expect(late.stderr).toContain(`ledger_moved: The ledger is at ${join(target, 'ledger.db')}`);
  expect((await hl('search', 'deploys', '--json')).code).toBe(0);
  expect(await hl('doctor')).toMatchObject({ code: 1, stdout: expect.stringContaining('has moved to') });
  expect(await hl('migrate', '--to', target, '--cancel', '--yes')).toMatchObject({ code: 2 });

  const there = (...args: string[]) => command(target, args);
  const again = parsed<Found>(
    await there('search', 'deploys server', '--min-score', '0', '--basis', before.basis, '--json'),
  );
  expect(again.items).toEqual(before.items);
  expect((await there('write', 'Deploys go out on Fridays', '--key', 'deploy.day')).stdout).toContain('supersedes');
  expect((await there('verify')).code).toBe(0);

  expect((await there('migrate', '--to', from.path, '--yes', '--json')).code).toBe(0);
  const back = parsed<Found>(await hl('search', 'when do deploys go out', '--json'));
  expect(back.items[0]?.content).toBe('Deploys go out on Fridays');
  expect((await hl('write', 'and on it goes')).code).toBe(0);
});
