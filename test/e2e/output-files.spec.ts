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

  it.each(
    writing('/x')
      .slice(0, 5)
      .map((words, index) => [shown(words), index] as const),
  )(
    'replaces a file only when told to: %s',
    async (_name, index) => {
      const target = at(`file-${index}`);
      const words = writing(target)[index]!;
      writeFileSync(target, 'of somebody');
      const head = (await run('verify', '--json')).stdout;
      const refused = await run(...words);
      expect([refused.code, refused.stdout]).toEqual([2, '']);
      expect(refused.stderr).toMatch(/which is there already: a file of 11 B, .*Nothing was done.*--overwrite/);
      expect(readFileSync(target, 'utf8')).toBe('of somebody');
      expect((await run('verify', '--json')).stdout).toBe(head);

      const replaced = await run(...words, '--overwrite');
      expect(replaced.code, replaced.stderr).toBe(0);
      expect(statSync(target).size).toBeGreaterThan(100);
      expect((await run(...words)).code).toBe(2);

      const made = await run(...writing(at(`new-${index}`))[index]!);
      expect(made.code, made.stderr).toBe(0);
      expect(readdirSync(elsewhere.path).filter((name) => name.includes('writing'))).toEqual([]);
    },
    120_000,
  );

  it('is refused before anything is erased where the certificate would replace a file', async () => {
    const target = at('certificate');
    writeFileSync(target, 'of somebody');
    const head = (await run('verify', '--json')).stdout;
    for (const words of writing(target).filter((each) => each.includes('--certificate'))) {
      const refused = await run(...words);
      expect([refused.code, refused.stdout]).toEqual([2, '']);
      expect(refused.stderr).toMatch(/which is there already: .*Nothing was done.*--overwrite/);
    }
    expect((await run('verify', '--json')).stdout).toBe(head);
    expect(readFileSync(target, 'utf8')).toBe('of somebody');
    const other = temporaryHome();
    await command(other.path, ['write', 'Ada drinks tea', '--subjects', 'Ada']);
    const words = ['erase', '--subject', 'Ada', '--reason', 'r', '--yes', '--certificate', target, '--overwrite'];
    expect((await command(other.path, words)).code).toBe(0);
    expect(JSON.parse(readFileSync(target, 'utf8'))).toHaveProperty('text');
    other.remove();
  });

  it('is one of two at once, and a backup takes no copy of keys that is beside it', async () => {
    const two = await Promise.all([1, 2].map(() => run('export', '--out', at('at-once'))));
    expect(two.map(({ code }) => code).toSorted()).toEqual([0, 2]);
    expect(readFileSync(at('at-once'), 'utf8')).toMatch(/^\{.*\}\n$/s);
    writeFileSync(at('lone.keys'), 'of another home');
    const refused = await run('backup', 'create', at('lone'));
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('lone.keys')]);
    expect(existsSync(at('lone'))).toBe(false);
    expect(readFileSync(at('lone.keys'), 'utf8')).toBe('of another home');
  });

  it('writes to what is no file as it is', async () => {
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
