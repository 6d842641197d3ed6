import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '#sqlite/open-database.js';
import type { CacheScope, EmbeddingCache } from '../embedding-cache.js';
import { packVector } from '../scan/packed-vector.js';
import { openSqliteEmbeddingCache, type SqliteCacheOptions } from './sqlite-embedding-cache.js';

let folder: string;
let path: string;
let logged: string[];
const open: EmbeddingCache[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hl-cache-'));
  path = join(folder, 'cache.db');
  logged = [];
});
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
  rmSync(folder, { recursive: true, force: true });
});

function cache(more: Partial<SqliteCacheOptions> = {}): EmbeddingCache {
  const one = openSqliteEmbeddingCache(path, {
    random: (bytes) => randomBytes(bytes),
    log: { warn: (_, message) => logged.push(message) },
    ...more,
  });
  open.push(one);
  return one;
}

function scope(bank: string, more: Partial<CacheScope> = {}): CacheScope {
  const key = (name: string) => Buffer.alloc(32, `${bank}${name}`);
  return {
    keys: { bank, secret: key('secret'), identityKey: key('identity'), indexKey: key('index') },
    space: { model: 'aa', dimensions: 8 },
    role: 'passage',
    ...more,
  };
}
const one = scope('one');
const two = scope('two');
const vector = (seed: number) => packVector(Float32Array.from({ length: 8 }, (_, at) => Math.sin(seed * 8 + at + 1)));

async function kept(to: EmbeddingCache, of: CacheScope, texts: readonly string[], memoryIds?: readonly string[]) {
  const vectors = texts.map((text, at) => ({ text, packed: vector(at), memoryIds: memoryIds ?? [`${text}’s`] }));
  await to.keep(of, await to.stamp(of.keys.bank), vectors);
}
const has = async (where: EmbeddingCache, of: CacheScope, texts: readonly string[]) =>
  (await where.find(of, texts)).map((found) => found !== undefined);

/** All that stands in the home, to look for bytes in. */
const bytes = () =>
  Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name)))).toString('latin1');

function sealedNow(): string[] {
  const db = openDatabase(path, { synchronous: 'NORMAL' });
  const rows = db.prepare('SELECT sealed FROM vectors ORDER BY id').all() as { sealed: Uint8Array }[];
  db.close();
  return rows.map(({ sealed }) => Buffer.from(sealed).toString('latin1'));
}

describe('a cache of vectors', () => {
  it('gives back what was kept, also to another process, in the order asked for', async () => {
    await kept(cache(), one, ['tea', 'coffee']);
    const [none, coffee, tea] = await cache().find(one, ['water', 'coffee', 'tea']);
    expect(none).toBeUndefined();
    expect([tea, coffee].map((each) => Buffer.from(each!))).toEqual([0, 1].map((at) => Buffer.from(vector(at))));
  });

  it('keeps banks, models and roles apart', async () => {
    const here = cache();
    await kept(here, one, ['tea']);
    for (const other of [
      two,
      scope('one', { space: { model: 'bb', dimensions: 8 } }),
      scope('one', { space: { model: 'aa', dimensions: 9 } }),
      scope('one', { role: 'query' }),
    ])
      expect(await has(here, other, ['tea'])).toEqual([false]);
  });

  it('holds neither text nor vector nor id in the clear', async () => {
    await kept(cache(), one, ['the secret of tea'], ['0190aaaa-0000-7000-8000-000000000001']);
    for (const planted of ['secret of tea', '0190aaaa', Buffer.from(vector(0)).toString('latin1')])
      expect(bytes()).not.toContain(planted);
  });

  it('does not open a vector that was put into another row', async () => {
    const here = cache();
    await kept(here, one, ['tea', 'coffee']);
    const db = openDatabase(path, { synchronous: 'NORMAL' });
    db.exec('UPDATE vectors SET sealed = (SELECT sealed FROM vectors WHERE id = 1)');
    db.close();
    expect(await has(here, one, ['tea', 'coffee'])).toEqual([true, false]);
  });

  it('lets the oldest go when there is too much', async () => {
    const limit = 60_000;
    const here = cache({ limit });
    const texts = Array.from({ length: 800 }, (_, at) => `text ${at}`);
    for (let from = 0; from < texts.length; from += 20) await kept(here, one, texts.slice(from, from + 20));
    const still = await has(here, one, texts);
    expect(still[0]).toBe(false);
    expect(still.at(-1)).toBe(true);
    expect(still.lastIndexOf(false)).toBeLessThan(still.indexOf(true));
    expect(readFileSync(path).length).toBeLessThan(2 * limit);
  });
});

describe('an erasure', () => {
  it('leaves no byte of a memory, own words and a neighbour’s, and all of the others', async () => {
    const here = cache();
    const other = cache();
    await kept(here, one, ['own'], ['m1']);
    await kept(other, one, ['m1 then m2'], ['m2', 'm1']);
    await kept(here, one, ['m2 alone'], ['m2']);
    await kept(here, two, ['of another bank'], ['m3']);
    const sealed = sealedNow();
    await here.forget('one', ['m1', 'unknown']);
    expect(sealed.map((each) => bytes().includes(each))).toEqual([false, false, true, true]);
    expect(await has(other, one, ['own', 'm1 then m2', 'm2 alone'])).toEqual([false, false, true]);
  });

  it('takes a whole bank, in pieces', async () => {
    const here = cache();
    await kept(
      here,
      one,
      Array.from({ length: 1_234 }, (_, at) => `text ${at}`),
    );
    await kept(here, two, ['stays']);
    const sealed = sealedNow();
    await here.forgetBank('one');
    const left = bytes();
    expect(sealed.filter((each) => left.includes(each))).toEqual([sealed.at(-1)]);
    expect(await has(here, two, ['stays'])).toEqual([true]);
  });

  it('keeps out what was opened before it, and takes what is opened after it', async () => {
    const here = cache();
    const stamps = { before: await here.stamp('one'), ofAnother: await here.stamp('two') };
    await cache().forget('one', ['m1']);
    const row = (text: string) => [{ text, packed: vector(0), memoryIds: ['m1'] }];
    await here.keep(one, stamps.before, row('late'));
    await here.keep(two, stamps.ofAnother, row('another bank'));
    await here.keep(one, await here.stamp('one'), row('anew'));
    expect(await has(here, one, ['late', 'anew'])).toEqual([false, true]);
    expect(await has(here, two, ['another bank'])).toEqual([true]);
  });

  it('keeps out what was opened before the file was deleted, which forgot that anything was erased', async () => {
    const here = cache();
    const stamp = await here.stamp('one');
    for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
    await here.keep(one, stamp, [{ text: 'late', packed: vector(0), memoryIds: ['m1'] }]);
    expect(await has(here, one, ['late'])).toEqual([false]);
  });

  it('waits for whoever reads what was before, and says so when that takes too long', async () => {
    const here = cache({ patience: 100 });
    await kept(here, one, ['own'], ['m1']);
    const reader = openDatabase(path, { synchronous: 'NORMAL' });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM vectors').get();
    await expect(here.forget('one', ['m1'])).rejects.toMatchObject({ code: 'ledger_busy' });
    const patient = cache().forget('one', ['m1']);
    reader.exec('COMMIT');
    reader.close();
    await patient;
    expect(readFileSync(`${path}-wal`)).toHaveLength(0);
  });

  it.each([
    ['no database', () => writeFileSync(path, 'x'.repeat(10_000))],
    ['cut off', () => truncateSync(path, 8_192)],
    ['of a newer release', () => withFormat(99)],
  ])('takes all of a file that is %s', async (_, spoil) => {
    const first = cache();
    await kept(first, one, ['own'], ['m1']);
    const [sealed] = sealedNow();
    await first.close();
    spoil();
    await cache().forget('one', ['m1']);
    expect(bytes()).not.toContain(sealed);
  });
});

function withFormat(format: number): void {
  const db = openDatabase(path, { synchronous: 'NORMAL' });
  db.exec(`PRAGMA user_version = ${format}`);
  db.close();
}

describe('bad days', () => {
  it.each(['no database', 'cut off'])('begins anew, with a line in the log, when the file is %s', async (how) => {
    const first = cache();
    await kept(first, one, ['tea']);
    await first.close();
    if (how === 'cut off') truncateSync(path, 4_096);
    else writeFileSync(path, 'x'.repeat(10_000));
    const again = cache();
    await again.find(one, ['tea']);
    await kept(again, one, ['coffee']);
    expect(await has(again, one, ['tea', 'coffee'])).toEqual([false, true]);
    expect(logged.join()).toMatch(/cache\.db is damaged/);
  });

  it('begins anew when the file is deleted under it, for every process', async () => {
    const [here, there] = [cache(), cache()];
    await kept(here, one, ['tea']);
    expect(await has(there, one, ['tea'])).toEqual([true]);
    for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
    expect(await has(here, one, ['tea'])).toEqual([false]);
    await kept(there, one, ['coffee']);
    expect(await has(here, one, ['coffee'])).toEqual([true]);
  });

  it('leaves a newer release’s file alone, and goes without', async () => {
    await cache().stamp('one');
    withFormat(99);
    const here = cache();
    await kept(here, one, ['tea']);
    expect(await has(here, one, ['tea'])).toEqual([false]);
    expect(logged).toEqual(['the cache of vectors is not to be had: they are made anew']);
    expect(existsSync(path)).toBe(true);
  });

  it('goes without where a folder is in its place; an erasure says so', async () => {
    mkdirSync(path);
    const here = cache();
    await kept(here, one, ['tea']);
    expect(await has(here, one, ['tea'])).toEqual([false]);
    await expect(here.forget('one', ['m1'])).rejects.toMatchObject({ code: 'no_file' });
  });

  it('takes what several processes keep at once', async () => {
    const processes = Array.from({ length: 4 }, () => cache());
    await Promise.all(
      processes.map(async (each, of) => {
        for (let at = 0; at < 20; at++) await kept(each, one, [`shared ${at}`, `${of} ${at}`]);
      }),
    );
    const texts = processes.flatMap((_, of) => Array.from({ length: 20 }, (_, at) => `${of} ${at}`));
    expect((await has(cache(), one, texts)).filter((each) => !each)).toEqual([]);
  });
});
