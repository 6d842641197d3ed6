import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { defaultHome, prepareHome } from './home.js';

it('is the platform’s data folder', () => {
  expect(defaultHome({}, 'linux', '/home/ada')).toBe('/home/ada/.local/share/hindsight-ledger');
  expect(defaultHome({}, 'darwin', '/Users/ada')).toBe('/Users/ada/Library/Application Support/hindsight-ledger');
  expect(defaultHome({ LOCALAPPDATA: '/local' }, 'win32', '/ada')).toBe('/local/hindsight-ledger');
  for (const platform of ['linux', 'darwin', 'win32'] as const)
    expect(defaultHome({ XDG_DATA_HOME: '/data' }, platform, '/ada')).toBe('/data/hindsight-ledger');
});

it('is made for its owner alone, and left as it is where it is there', () => {
  const root = join(mkdtempSync(join(tmpdir(), 'hl-home-')), 'deep', 'home');
  expect(prepareHome(root)).toMatchObject({ root, ledger: join(root, 'ledger.db'), config: join(root, 'config.json') });
  expect(statSync(root).mode & 0o777).toBe(0o700);
  expect(prepareHome(root).root).toBe(root);
});

it('is refused by name where a file is in the way', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'hl-home-')), 'file');
  writeFileSync(file, '');
  expect(() => prepareHome(file)).toThrow(`home is ${file}, which is no folder.`);
  expect(() => prepareHome(join(file, 'below'))).toThrow(/cannot be made/);
});
