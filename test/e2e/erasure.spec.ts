import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFileVault } from '#sealing/sqlite/open-file-vault.js';
import type { Vault } from '#sealing/vault.js';
import { type BuiltServer, startServer, temporaryHome } from '#test/support/built-server.js';
import { command } from '#test/support/command.js';
import { filesUnder, plantedIn, plantedUnder } from '#test/support/planted.js';
import { openAll, type VectorInStore, vectorsUnder } from '#test/support/planted-vectors.js';
import { sentinels } from '#test/support/sentinels.js';
import { untilEmbedded } from '#test/support/until-embedded.js';

/** What a person wrote, everywhere that a person can write, and none of it once the person was erased. */
const home = temporaryHome();
const elsewhere = temporaryHome();
const temp = join(elsewhere.path, 'tmp');
const env = { TMPDIR: temp, HINDSIGHT_LEDGER_LOG_LEVEL: 'trace', HINDSIGHT_LEDGER_EMBEDDINGS: 'e5' };
const planted = sentinels();
const said: string[] = [];
let server: BuiltServer;
let bystander: string;
/** Vectors of what is erased, and that of the bystander, which is the first doc of its bank: a meaning tells what was written. */
let vectors: { readonly rows: readonly VectorInStore[]; readonly opened: readonly Buffer[] };

const run = async (...words: string[]) => {
  const done = await command(home.path, words, { env });
  said.push(done.stdout, done.stderr);
  return done;
};
const inLogs = () => Buffer.from([server.log(), ...said].join('\n'));

function rowsOf(file: string, query: string): Record<string, unknown>[] {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return db.prepare(query).all() as Record<string, unknown>[];
  } finally {
    db.close();
  }
}

const vectorsIn = (file: string) =>
  rowsOf(
    file,
    `SELECT b.id AS bank, s.model, s.dimensions, v.doc, v.sealed FROM hl_vectors v JOIN hl_banks b ON b.number = v.bank
      JOIN hl_vector_spaces s ON s.space = v.space WHERE v.sealed IS NOT NULL ORDER BY v.doc`,
  ) as unknown as VectorInStore[];

/** The keys as they are now. */
async function withVault<T>(work: (vault: Vault) => Promise<T>): Promise<T> {
  const paths = { keysDb: join(home.path, 'keys.db'), masterKeyFile: join(home.path, 'master.key') };
  const vault = await openFileVault(paths, { random: randomBytes }, { ledgerHasEvents: true });
  return work(vault).finally(() => vault.close());
}

/** Files of the home in which any of these vectors stands, as it is in memory. */
const withVectors = (packed: readonly Buffer[]) => vectorsUnder(packed, filesUnder(home.path));

beforeAll(async () => {
  mkdirSync(temp);
  server = await startServer(home.path, { args: ['--roles', 'reader,writer,reviewer,auditor,eraser'], env });
  const written = await server.call('memory_write', {
    content: 'The bystander stays',
    key: 'stays',
    subjects: ['Bystander'],
  });
  bystander = String(written.structured.memory_id);
  await planted.plant({
    call: (tool, args) => server.call(tool, args),
    run: (words) => command(home.path, words, { env }),
    folder: elsewhere.path,
  });
  await untilEmbedded(server);
  const rows = vectorsIn(join(home.path, 'views.db'));
  vectors = { rows, opened: await withVault((vault) => openAll(vault, rows)) };
  // A copy of the events from before, as a backup would be.
  await run('stats');
  for (const name of ['ledger.db', 'ledger.db-wal'])
    try {
      copyFileSync(join(home.path, name), join(elsewhere.path, `former-${name}`));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
});
afterAll(async () => {
  await server.close();
  home.remove();
  elsewhere.remove();
});

describe('an erasure of a person', () => {
  it('finds what was planted, by all of their names', async () => {
    expect(planted.words).toHaveLength(50);
    const found = await server.call('memory_search', { query: planted.words[2]! });
    expect(JSON.stringify(found.structured.items)).toContain(planted.words[2]);
    const shown = await run('erase', '--subject', planted.person, '--reason', 'asked to', '--dry-run', '--json');
    expect(JSON.parse(shown.stdout)).toMatchObject({ status: 'dry_run', total: planted.memories() });
    said.length = 0;
  });

  it('is done, certified, and verified', async () => {
    const file = join(elsewhere.path, 'certificate.json');
    const words = ['--reason', 'asked to', '--yes', '--json', '--certificate', file];
    const done = await command(home.path, ['erase', '--subject', planted.person, ...words], { env });
    expect(done.code, done.stderr).toBe(0);
    expect(JSON.parse(done.stdout)).toMatchObject({ status: 'erased', total: planted.memories() });
    const { text } = JSON.parse(readFileSync(file, 'utf8')) as { text: string };
    const certified = JSON.parse(text) as { what: { memories: number; reads: number }; check: object };
    expect(certified.what.memories).toBe(planted.memories());
    expect(certified.what.reads).toBeGreaterThanOrEqual(planted.queries);
    expect(certified.check).toMatchObject({ events_opened: 0, rows_left: 0 });
    expect(plantedIn(planted.words, Buffer.from(text))).toEqual([]);
    expect((await run('verify')).code).toBe(0);
  });

  it('lets the process that was running go on, without losing a write', async () => {
    const written = await server.call('memory_write', { content: 'Written after the erasure', key: 'after' });
    expect(written.structured).toMatchObject({ status: 'stored' });
    const anew = await server.call('memory_write', { content: 'New words', subjects: [planted.person] });
    expect(anew.structured).toMatchObject({ status: 'stored' });
    for (const [query, content] of [
      ['erasure', 'Written after the erasure'],
      ['New words', 'New words'],
    ] as const) {
      const here = await server.call('memory_search', { query });
      expect(JSON.stringify(here.structured.items)).toContain(content);
      const there = await run('search', query, '--json');
      expect(there.stdout).toContain(content);
    }
  });

  it('leaves nothing in any file of the home, in the folder for temporary files, or in a log', async () => {
    said.length = 0;
    const files = filesUnder(home.path);
    expect(files.map((file) => file.slice(home.path.length + 1)).sort()).toEqual(
      expect.arrayContaining([
        'keys.db',
        'ledger.db',
        'ledger.db-wal',
        'master.key',
        'views.db',
        'views.db-wal',
        'cache.db',
      ]),
    );
    expect(plantedUnder(planted.words, home.path)).toEqual([]);
    expect(plantedUnder(planted.words, temp)).toEqual([]);
    expect(plantedIn(planted.words, inLogs())).toEqual([]);
  });

  it('leaves no vector of it in any file, nor one that opens in a copy of the views from before', async () => {
    expect(vectors.opened.length).toBeGreaterThan(planted.memories());
    await untilEmbedded(server);
    // Not even of the bystander: no store is given one that is not sealed. The scan would see it.
    expect(withVectors(vectors.opened)).toEqual([]);
    const control = join(home.path, 'control');
    writeFileSync(control, vectors.opened[3]!);
    expect(withVectors(vectors.opened)).toEqual([`vector 3 in ${control}`]);
    rmSync(control);
    const [kept, ...erased] = vectors.rows;
    await withVault(async (vault) => {
      expect(await openAll(vault, [kept!])).toEqual([vectors.opened[0]]);
      for (const row of erased) await expect(openAll(vault, [row])).rejects.toThrow('is gone');
    });
    // And the rows themselves are gone, the bystander's apart.
    const held = readFileSync(join(home.path, 'views.db'));
    expect(held.includes(Buffer.from(kept!.sealed))).toBe(true);
    expect(erased.filter(({ sealed }) => held.includes(Buffer.from(sealed)))).toEqual([]);
    // That of the bystander, and of the two that were written since.
    expect(rowsOf(join(home.path, 'cache.db'), 'SELECT id FROM vectors')).toHaveLength(3);
  });

  it('leaves nothing that a reader could be shown, with every key that is there', async () => {
    for (const words of [
      ['export'],
      ['audit', 'events', '--limit', '5000', '--json'],
      ['audit', 'shown', '--limit', '5000', '--json'],
      ['stats'],
    ]) {
      const done = await command(home.path, words, { env });
      expect(done.code, `${words.join(' ')}: ${done.stderr}`).toBe(0);
      // The name was written anew.
      expect(plantedIn(planted.words.slice(1), Buffer.from(done.stdout + done.stderr))).toEqual([]);
    }
    for (const word of planted.words.slice(0, 10)) {
      const found = await server.call('memory_search', {
        query: word,
        include: ['superseded', 'retracted', 'archived'],
        min_score: 0,
      });
      expect(plantedIn(planted.words.slice(1), Buffer.from(JSON.stringify(found.structured.items)))).toEqual([]);
    }
    const kept = await server.call('memory_history', { memory_id: bystander });
    expect(kept.structured).toMatchObject({ status: 'current', key: 'stays' });
  });

  it('is not undone by a replay', async () => {
    const replayed = await run('replay');
    expect(replayed.code, replayed.stderr + replayed.stdout).toBe(0);
    const found = await server.call('memory_search', { query: 'bystander', top_k: 1 });
    expect(found.structured.items).toMatchObject([{ id: bystander }]);
    for (const word of planted.words.slice(0, 5)) {
      const again = await server.call('memory_search', { query: word, min_score: 0 });
      expect(plantedIn(planted.words.slice(1), Buffer.from(JSON.stringify(again.structured.items)))).toEqual([]);
    }
    expect(plantedUnder(planted.words, home.path)).toEqual([]);
    expect(withVectors(vectors.opened)).toEqual([]);
  });

  it('is not undone by the events from before, put beside the keys of now', async () => {
    const restored = join(elsewhere.path, 'restored');
    mkdirSync(restored);
    for (const name of ['keys.db', 'keys.db-wal', 'master.key'])
      try {
        copyFileSync(join(home.path, name), join(restored, name));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    for (const name of ['ledger.db', 'ledger.db-wal'])
      try {
        copyFileSync(join(elsewhere.path, `former-${name}`), join(restored, name));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    const shown: string[] = [];
    for (const words of [
      ['search', 'bystander', '--json'],
      ['search', planted.words[2]!],
      ['export'],
      ['stats', '--json'],
    ]) {
      const done = await command(restored, words, { env });
      // What was asked is said again.
      shown.push(done.stdout);
    }
    expect(shown[0]).toContain(bystander);
    expect(plantedIn(planted.words, Buffer.from(shown.join('\n')))).toEqual([]);
    expect(plantedUnder(planted.words, restored)).toEqual([]);
    rmSync(restored, { recursive: true });
  });
});
