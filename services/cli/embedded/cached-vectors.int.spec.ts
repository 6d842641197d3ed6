import { randomBytes } from 'node:crypto';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '#config/load-config.js';
import type { CacheScope, EmbeddingCache } from '#understanding/embeddings/embedding-cache.js';
import { packVector } from '#understanding/embeddings/scan/packed-vector.js';
import { openSqliteEmbeddingCache } from '#understanding/embeddings/sqlite/sqlite-embedding-cache.js';
import { type Embedded, openEmbedded } from './open-embedded.js';
import { plainLog } from './plain-log.js';

/** What an erasure and the deletion of a bank leave in cache.db, which another process fills. */
let folder: string;
let home: Embedded;
let cache: EmbeddingCache;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hl-cached-'));
  const { config } = loadConfig({ flags: { home: folder }, env: {} });
  home = await openEmbedded({ config, log: plainLog('silent', () => undefined) });
  cache = openSqliteEmbeddingCache(home.paths.cache, { random: (bytes) => randomBytes(bytes), log: home.log });
});
afterEach(async () => {
  await cache.close();
  await home.close();
  await rm(folder, { recursive: true });
});

async function scope(): Promise<CacheScope> {
  const keys = await home.vault.bankKeys(home.bank);
  return { keys, space: { model: 'aa', dimensions: 32 }, role: 'passage' };
}

async function remembered(content: string, ...neighbours: string[]): Promise<string> {
  const { memory_id: id } = await home.commands.write({ content }, home.caller('write'));
  const packed = packVector(Float32Array.from({ length: 32 }, () => Math.random() - 0.5));
  await cache.keep(await scope(), await cache.stamp(home.bank), [
    { text: content, packed, memoryIds: [id!, ...neighbours] },
  ]);
  return id!;
}

/** Which of these are found. */
async function found(...texts: string[]): Promise<boolean[]> {
  return (await cache.find(await scope(), texts)).map((each) => each !== undefined);
}

it('loses the vectors of what is erased, also where it was only the neighbour, and its bytes with them', async () => {
  const ada = await remembered('Ada drinks tea');
  await remembered('Bob drinks coffee', ada);
  await remembered('Eve drinks water');
  const who = home.caller('erase');
  const ask = { memory_ids: [ada], reason: 'asked to' };
  const { confirm } = await home.commands.erase(ask, who);
  expect(await home.commands.erase({ ...ask, confirm }, who)).toMatchObject({ status: 'erased', forgotten: [ada] });
  expect(await found('Ada drinks tea', 'Bob drinks coffee', 'Eve drinks water')).toEqual([false, false, true]);
  expect(statSync(`${home.paths.cache}-wal`).size).toBe(0);
});

it('loses all of a bank that is deleted', async () => {
  await remembered('Ada drinks tea');
  const of = await scope();
  const who = home.caller('bank');
  const { confirm } = await home.commands.eraseBank({ reason: 'r' }, who);
  expect(await home.commands.eraseBank({ reason: 'r', confirm }, who)).toMatchObject({ status: 'erased' });
  expect(await cache.find(of, ['Ada drinks tea'])).toEqual([undefined]);
});

it('does not keep a home from erasing when it was deleted, or is damaged', async () => {
  const who = home.caller('erase');
  for (const spoil of ['delete', 'damage']) {
    const id = await remembered(`words to ${spoil}`);
    if (spoil === 'damage') writeFileSync(home.paths.cache, randomBytes(8_192));
    else for (const end of ['', '-wal', '-shm']) rmSync(`${home.paths.cache}${end}`, { force: true });
    const ask = { memory_ids: [id], reason: 'r' };
    const { confirm } = await home.commands.erase(ask, who);
    expect(await home.commands.erase({ ...ask, confirm }, who)).toMatchObject({ status: 'erased' });
    expect(await found(`words to ${spoil}`)).toEqual([false]);
  }
});

it('counts among what a home takes', async () => {
  await remembered('Ada drinks tea');
  const stats = await home.queries.stats(home.caller('stats'));
  expect(JSON.stringify(stats)).toContain('cache.db');
});
