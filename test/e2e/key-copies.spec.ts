import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { temporaryHome } from '#test/support/built-server.js';
import { command } from '#test/support/command.js';

const home = temporaryHome();
const copies = temporaryHome();
afterAll(() => {
  home.remove();
  copies.remove();
});

const env = { HINDSIGHT_LEDGER_EMBEDDINGS: 'none' };

async function hl(...words: string[]): Promise<string> {
  const done = await command(home.path, words, { env });
  // Of the doctor, too: a copy that is too old is a warning, and fails nothing.
  expect(done.code, done.stdout + done.stderr).toBe(0);
  return done.stdout;
}

const copiesSeen = async () =>
  (JSON.parse(await hl('doctor', '--json')) as { check: string }[]).filter(({ check }) => check === 'backup');

it('the doctor warns for as long as the last copy of the keys is from before the last erasure', async () => {
  await hl('write', 'Adelheid likes otters', '--subjects', 'Adelheid');
  expect(await copiesSeen()).toEqual([]);
  await hl('backup', 'create', join(copies.path, 'early.events'));
  expect(await copiesSeen()).toMatchObject([{ status: 'well', says: expect.stringContaining('early.events.keys') }]);

  await hl('erase', '--subject', 'Adelheid', '--reason', 'asked to', '--yes', '--no-key-backup');
  expect(await copiesSeen()).toMatchObject([
    {
      status: 'warning',
      says: expect.stringMatching(/early\.events\.keys, .*\) is older than the last erasure/),
      mend: expect.stringContaining('backup create'),
    },
  ]);

  await hl('keys', 'backup', join(copies.path, 'late.keys'));
  expect(await copiesSeen()).toMatchObject([{ status: 'well', says: expect.stringContaining('late.keys') }]);
  rmSync(join(copies.path, 'late.keys'));
  expect(await copiesSeen()).toMatchObject([{ status: 'warning', says: expect.stringContaining('is not there') }]);
});
