import { link, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LoadedConfig, loadConfig } from '#config/load-config.js';
import { isWrittenTo, outputFile, refuseOwnKeyBackup, replacedFile } from './output-file.js';

let folder: string;
let home: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hl-output-'));
  home = join(folder, 'home');
  await mkdir(home);
  for (const name of ['ledger.db', 'keys.db', 'keys.db-wal', 'master.key']) await writeFile(join(home, name), name);
});
afterEach(() => rm(folder, { recursive: true }));

const loaded = (flags: object = {}): LoadedConfig => loadConfig({ flags: { home, ...flags }, env: {}, folder });
const named = (given: string) => ({ name: '--out', given });
const onlyNew: typeof outputFile = (given, config) => replacedFile(given, config, { overwrite: false });
const all = [outputFile, replacedFile, onlyNew];

async function refusal(given: string, config = loaded().config): Promise<string[]> {
  const said: string[] = [];
  for (const each of all)
    await each(named(given), config).catch((error: { code: string; message: string }) => {
      expect(error.code).toBe('invalid_input');
      said.push(error.message);
    });
  return said;
}

describe('a file that a command is to write', () => {
  it.each([
    'ledger.db',
    'keys.db',
    'keys.db-wal',
    'views.db',
    'views.db-shm',
    'cache.db',
    'cache.db-wal',
    'ledger.db.damaged',
    'master.key',
    'signing.key',
    'config.json',
  ])('is not %s of the home, whether that is there or not', async (name) => {
    const before = await readdir(home);
    for (const given of [join(home, name), relative(process.cwd(), join(home, name)), join(home, '..', 'home', name)]) {
      const said = await refusal(given);
      expect(said).toHaveLength(3);
      for (const each of said) expect(each).toContain('a file that this home lives on');
    }
    expect(await readdir(home)).toEqual(before);
  });

  it('is not one of them by a link of any kind, either way round', async () => {
    await symlink(home, join(folder, 'linked'));
    await symlink(join(home, 'keys.db'), join(folder, 'keys'));
    await link(join(home, 'master.key'), join(folder, 'hard'));
    await writeFile(join(folder, 'real.db'), 'views');
    await symlink(join(folder, 'real.db'), join(home, 'views.db'));
    for (const given of ['linked/ledger.db', 'linked/views.db-wal', 'keys', 'hard', 'real.db', 'home/views.db'])
      expect(await refusal(join(folder, given)), given).toHaveLength(3);
    expect(await readFile(join(folder, 'hard'), 'utf8')).toBe('master.key');
  });

  it('is not the master key where that lies elsewhere', async () => {
    const masterKeyFile = join(folder, 'elsewhere.key');
    expect(await refusal(masterKeyFile, loaded({ masterKeyFile }).config)).toHaveLength(3);
    expect(await refusal(masterKeyFile)).toEqual([]);
  });

  it('is in a folder that is there, and no folder', async () => {
    await writeFile(join(folder, 'file'), '');
    for (const given of [join(folder, 'nowhere', 'x'), folder, '', join(folder, 'file', 'x'), '/proc/nope'])
      for (const said of await refusal(given)) expect(said).toMatch(/^--out is ".*", (and|which) .+\. Accepted: a/);
    for (const given of [join(folder, 'nowhere', 'x'), folder, '', join(folder, 'file', 'x'), '/proc/nope'])
      expect(await refusal(given), given).toHaveLength(3);
    expect((await readdir(folder)).sort()).toEqual(['file', 'home']);
  });

  it('may be there already where it is replaced or written to, and is left as it is until then', async () => {
    const file = join(folder, 'file');
    await writeFile(file, 'mine');
    expect(await outputFile(named(file), loaded().config)).toBe(file);
    expect(await replacedFile(named(file), loaded().config)).toBe(file);
    expect(await readFile(file, 'utf8')).toBe('mine');
    expect(await outputFile(named(join(home, 'keys.backup')), loaded().config)).toBe(join(home, 'keys.backup'));
    expect(await outputFile(named('/dev/null'), loaded().config)).toBe('/dev/null');
    await expect(replacedFile(named('/dev/null'), loaded().config)).rejects.toThrow('which is no file');
  });

  it('is not there yet, or is to be overwritten: the refusal says what is there and what to do', async () => {
    const file = join(folder, 'file');
    await writeFile(file, 'mine');
    await symlink(join(folder, 'nowhere'), join(folder, 'dangling'));
    for (const each of [outputFile, replacedFile]) {
      await expect(each(named(file), loaded().config, { overwrite: false })).rejects.toThrow(
        /--out is ".*file", which is there already: a file of 4 B, last changed 20\d\d-.* UTC\. Nothing was done\. Accepted: another name, or --overwrite, which replaces it\./,
      );
      await expect(each(named(join(folder, 'dangling')), loaded().config, { overwrite: false })).rejects.toThrow(
        'which is there already: a link to what is not there. Nothing was done.',
      );
      expect(await each(named(file), loaded().config, { overwrite: true })).toBe(file);
      expect(await each(named(`${file}2`), loaded().config, { overwrite: false })).toBe(`${file}2`);
    }
    expect(await outputFile(named('/dev/null'), loaded().config, { overwrite: false })).toBe('/dev/null');
    expect([isWrittenTo('/dev/null'), isWrittenTo(file), isWrittenTo(folder), isWrittenTo(`${file}2`)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(await readFile(file, 'utf8')).toBe('mine');
  });
});

describe('the place of the copy of the keys', () => {
  it('is none of the home’s own files, however it was set', () => {
    for (const keyBackup of [join(home, 'keys.db'), 'home/master.key', join(home, 'ledger.db-wal')])
      expect(() => refuseOwnKeyBackup(loaded({ keyBackup }))).toThrow(
        expect.objectContaining({ code: 'invalid_config', message: expect.stringContaining('flag --key-backup') }),
      );
    for (const keyBackup of [undefined, 'none', false, join(folder, 'copy.keys'), join(home, 'copy.keys')])
      expect(() => refuseOwnKeyBackup(loaded({ keyBackup }))).not.toThrow();
  });
});
