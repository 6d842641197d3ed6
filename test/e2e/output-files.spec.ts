import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, temporaryHome } from '#test/support/built-server.js';
import { command } from '#test/support/command.js';

/** Every command that writes a file, told to write where the home lives. */
const home = temporaryHome();
const elsewhere = temporaryHome();
const at = (name: string) => join(elsewhere.path, name);
const run = (...words: string[]) => command(home.path, words);

const writing = (file: string): string[][] => [
  ['keys', 'backup', file],
  ['backup', 'create', file],
  ['export', '--out', file],
  ['seal', '--export', file],
  ['replay', '--out', file],
  ['erase', '--subject', 'Ada', '--reason', 'r', '--yes', '--certificate', file],
  ['erase', '--subject', 'Ada', '--reason', 'r', '--yes', '--key-backup', file],
  ['forget', '--subject', 'Ada', '--mode', 'erase', '--reason', 'r', '--yes', '--certificate', file],
  ['forget', '--subject', 'Ada', '--mode', 'erase', '--reason', 'r', '--yes', '--key-backup', file],
  ['bank', 'delete', 'trial', '--reason', 'r', '--yes', '--certificate', file],
  ['bank', 'delete', 'trial', '--reason', 'r', '--yes', '--key-backup', file],
  ['keys', 'rotate', '--yes', '--key-backup', file],
];
const shown = (words: string[]) => words.filter((word) => !word.startsWith('/')).join(' ');

beforeAll(async () => {
  expect((await run('write', 'Ada drinks tea', '--subjects', 'Ada')).code).toBe(0);
  expect((await run('bank', 'create', 'trial')).code).toBe(0);
});
afterAll(() => {
  home.remove();
  elsewhere.remove();
});

describe('a command that writes a file', () => {
  const files = [
    'ledger.db',
    'keys.db',
    'master.key',
    'views.db',
    'cache.db',
    'keys.db-wal',
    'signing.key',
    'config.json',
  ];

  it.each(writing('/x').map((words, index) => [shown(words), index] as const))(
    'destroys nothing that the home lives on: %s',
    async (_name, index) => {
      const key = readFileSync(join(home.path, 'master.key'));
      const head = (await run('verify', '--json')).stdout;
      const file = files[index % files.length]!;
      symlinkSync(home.path, at(`linked-${index}`));
      for (const target of [join(home.path, 'keys.db'), join(home.path, file), join(at(`linked-${index}`), file)]) {
        const done = await run(...writing(target)[index]!);
        expect(done.code, done.stderr + done.stdout).toBe(2);
        expect(done.stderr).toContain('a file that this home lives on, and that would be destroyed. Nothing was done.');
      }
      expect(readFileSync(join(home.path, 'master.key'))).toEqual(key);
      expect((await run('verify', '--json')).stdout).toBe(head);
      expect((await run('verify', '--contents')).code).toBe(0);
    },
    120_000,
  );

  it.each(writing('/x').map((words, index) => [shown(words), index] as const))(
    'says what is wrong with a place that it cannot write to: %s',
    async (_name, index) => {
      const head = (await run('verify', '--json')).stdout;
      mkdirSync(at(`folder-${index}`));
      const places = [at('nowhere/x'), '/proc/nope', ...(index === 1 ? [] : [at(`folder-${index}`)])];
      for (const target of places) {
        const done = await run(...writing(target)[index]!);
        expect([2, 3], done.stderr).toContain(done.code);
        expect(done.stderr).toMatch(/^(invalid_input|not_writable): .*(nowhere|nope|folder-)/m);
        expect(done.stderr).toMatch(/Accepted: a/);
        expect(done.stderr).not.toMatch(/internal|goes on later/);
      }
      expect((await run('verify', '--json')).stdout).toBe(head);
      expect(readdirSync(at(`folder-${index}`))).toEqual([]);
    },
    120_000,
  );

  it('writes where nothing is lost, and over what is no file of the home', async () => {
    for (const [index, words] of writing(at('x')).slice(0, 5).entries()) {
      const target = at(`file-${index}`);
      if (words[0] !== 'replay') writeFileSync(target, 'former');
      const done = await run(...writing(target)[index]!);
      expect(done.code, done.stderr).toBe(0);
      expect(statSync(target).size).toBeGreaterThan(100);
    }
    const again = await run('replay', '--out', at('file-0'));
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('there already. Accepted: a new file.')]);
    const nowhere = await run('export', '--out', '/dev/null');
    expect([nowhere.code, nowhere.stderr]).toEqual([0, '']);
    expect((await run('export', '--out', '/dev/full')).stderr).toMatch(/^disk_full: \/dev\/full/);
  });

  it('is refused before the server starts where the setting names a file of the home', async () => {
    const env = { HINDSIGHT_LEDGER_KEY_BACKUP: join(home.path, 'keys.db') };
    const done = await command(home.path, [], { env });
    expect([done.code, done.stderr]).toEqual([2, expect.stringContaining('HINDSIGHT_LEDGER_KEY_BACKUP')]);
    const server = await startServer(home.path, { env: { HINDSIGHT_LEDGER_KEY_BACKUP: at('copy.keys') } });
    await server.close();
  });
});

describe('a replay', () => {
  it.each([
    [
      ['--projection', ','],
      'names none, the projections are memories, versions, keywords, ratings, findings, stats, recalls',
    ],
    [['--projection', 'memory'], 'projection is "memory", the projections are memories,'],
    [['--to', '-1'], 'to is "-1", which is no position'],
    [['--to', '2026-01-01T00:00:00Z'], 'Accepted: one of that form'],
    [['--to', '3'], 'Accepted: one of that form'],
    [['--to', '9'.repeat(16), '--out', join(elsewhere.path, 'late.db')], 'which is no position'],
  ])('refuses %j', async (words, message) => {
    const done = await run('replay', ...words);
    expect([done.code, done.stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(existsSync(at('late.db'))).toBe(false);
  });
});
