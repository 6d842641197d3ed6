import { link, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LoadedConfig, loadConfig } from '#config/load-config.js';
import { newFile, outputFile, refuseOwnKeyBackup, replacedFile } from './output-file.js';

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
const all = [outputFile, replacedFile, newFile];

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
    await expect(newFile(named(file), loaded().config)).rejects.toThrow('there already. Accepted: a new file.');
    expect(await readFile(file, 'utf8')).toBe('mine');
    expect(await outputFile(named(join(home, 'keys.backup')), loaded().config)).toBe(join(home, 'keys.backup'));
    expect(await outputFile(named('/dev/null'), loaded().config)).toBe('/dev/null');
    await expect(replacedFile(named('/dev/null'), loaded().config)).rejects.toThrow('which is no file');
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
