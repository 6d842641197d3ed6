import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeWhole } from './write-whole.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hl-whole-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('replaces what is there, or leaves it where only a new file is meant', async () => {
  const file = join(folder, 'file');
  await writeWhole(file, ['one'], { onlyNew: true });
  expect(await readFile(file, 'utf8')).toBe('one');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await expect(writeWhole(file, ['two'], { onlyNew: true })).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringMatching(/file is there already.*--overwrite/),
  });
  expect(await readFile(file, 'utf8')).toBe('one');
  await writeWhole(file, ['three']);
  expect(await readFile(file, 'utf8')).toBe('three');
  expect(await readdir(folder)).toEqual(['file']);
});

it('gives a name to one of those who write it at once', async () => {
  const file = join(folder, 'file');
  const each = await Promise.allSettled(
    ['a', 'b', 'c', 'd'].map((text) => writeWhole(file, [text.repeat(100_000)], { onlyNew: true })),
  );
  expect(each.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const won = each.findIndex(({ status }) => status === 'fulfilled');
  expect(await readFile(file, 'utf8')).toBe('abcd'[won]!.repeat(100_000));
  expect(await readdir(folder)).toEqual(['file']);
});

it('leaves what is there, and nothing beside it, where the writing fails', async () => {
  const file = join(folder, 'file');
  await writeFile(file, 'mine');
  const cut = async function* () {
    yield 'half';
    throw new Error('cut');
  };
  await expect(writeWhole(file, cut())).rejects.toThrow('cut');
  expect(await readFile(file, 'utf8')).toBe('mine');
  expect(await readdir(folder)).toEqual(['file']);
});
