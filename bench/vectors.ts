import { randomBytes } from 'node:crypto';
import { toSql } from 'pgvector';
import { emptyBankVectors } from '#query/bank-index/bank-vectors.js';
import { vectorBoxes } from '#sealing/vector-box.js';
import { freshDatabase } from '#test/engines/engines.js';
import { testVault } from '#test/test-vault.js';
import { packVector } from '#understanding/embeddings/scan/packed-vector.js';
import { type Connections, openConnections } from '#views/postgres/connections.js';
import { createStore } from '#views/postgres/store.js';
import { createNearestIndex, type DocVector } from '#views/postgres/vectors/nearest-index.js';
import { copyVectors } from '#views/postgres/vectors/nearest-rows.js';
import { clusteredVectors, cosine } from '#views/postgres/vectors/testing/clustered-vectors.js';
import type { ViewsReader } from '#views/reader.js';
import type { StoredVector } from '#views/vectors.js';
import { plainLog } from '../services/cli/embedded/plain-log.js';
import { inMilliseconds, percentiles } from './load/percentiles.js';
import { seeded } from './load/random.js';

const dimensions = 384;
const k = 10;
const questions = 100;
const sizes = { small: 1_000, tenant: 5_000, medium: 10_000, limit: 20_000, large: 50_000, rest: 14_000 };

interface Line {
  readonly what: string;
  readonly times: readonly number[];
  readonly recall?: number;
}

/**
 * What it costs to seal vectors and to open those of a bank; then what a nearest-vector search costs in PostgreSQL: whole or half precision, and where looking through a bank one by one stops paying. 100,000 vectors of
 * banks that lie between each other in one table, as they do when many write.
 */
export default async function run(options: { json?: boolean } = {}): Promise<void> {
  const database = await freshDatabase();
  const log = plainLog('silent', () => undefined);
  const connections = openConnections(database.url, { role: 'projector', poolSize: 2, log });
  const store = await createStore(connections, { ledger: 'bench', partitions: 1, role: 'projector', log });
  const lines: Line[] = [];
  const say = (line: Line): void => {
    lines.push(line);
    const recall = line.recall === undefined ? '' : `, recall ${line.recall.toFixed(3)}`;
    if (!options.json)
      process.stdout.write(`${line.what.padEnd(52)} ${inMilliseconds(percentiles(line.times))}${recall}\n`);
  };
  try {
    for (const size of [sizes.medium, 100_000]) await sealing(size, say);
    const vectors = interleaved();
    const asked = Array.from({ length: questions }, clusteredVectors(dimensions, 9));
    await store.numberBanks(Object.keys(sizes));
    const space = { model: 'bench', dimensions };
    const always = createNearestIndex(store, { exactUpTo: Number.MAX_SAFE_INTEGER });
    const never = createNearestIndex(store, { exactUpTo: 0 });
    await always.make(space);
    const began = performance.now();
    for (let at = 0; at < vectors.length; at += 5_000) await always.put(space, vectors.slice(at, at + 5_000));
    say({ what: `COPY of ${vectors.length} vectors`, times: [performance.now() - began] });
    const built = performance.now();
    await always.index(space);
    say({ what: 'building the index', times: [performance.now() - built] });
    await connections.run({ text: 'ANALYZE' });
    for (const bank of ['small', 'tenant', 'medium', 'limit', 'large'] as const) {
      const right = nearestOf(vectors, bank, asked);
      const of = `of a bank of ${sizes[bank]}`;
      for (const [how, by] of [
        ['one by one', always],
        ['by the index', never],
      ] as const) {
        const found: number[][] = [];
        const times = await timed(asked, async (vector) => {
          const near = await by.nearest(bank, space, vector, k);
          found.push(near.found.map(({ doc }) => doc));
        });
        say({ what: `${of}, ${how}`, times, recall: recallOf(found, right) });
      }
    }
    await withoutIterating(connections, vectors, asked, say);
    await wholePrecision(connections, vectors, asked, say);
  } finally {
    await connections.close();
    await database.drop();
  }
  if (options.json)
    process.stdout.write(
      `${JSON.stringify(lines.map(({ what, times, recall }) => ({ what, ...percentiles(times), recall })))}\n`,
    );
}

/** Vectors of all banks in an order that mixes them. */
function interleaved(): DocVector[] {
  const next = clusteredVectors(dimensions, 8);
  const random = seeded(11);
  const docs = new Map<string, number>();
  const order = Object.entries(sizes)
    .flatMap(([bank, size]) => Array.from({ length: size }, () => ({ bank, by: random() })))
    .sort((one, other) => one.by - other.by);
  return order.map(({ bank }) => {
    const doc = docs.get(bank) ?? 0;
    docs.set(bank, doc + 1);
    return { bank, doc, vector: next() };
  });
}

/** Turns of sessions, each embedded with the turn before it, so by the secrets of two memories; opened as a query process does it. */
async function sealing(size: number, say: (line: Line) => void): Promise<void> {
  const vault = await testVault();
  await vault.bankKeys('bank');
  const ids: string[] = [];
  while (ids.length < size) ids.push((await vault.freshSecret()).id);
  const space = { model: 'bench', dimensions };
  const next = clusteredVectors(dimensions, 8);
  const packed = Array.from({ length: size }, () => packVector(next()));
  const boxes = vectorBoxes(vault, 'bank', space);
  const rows: StoredVector[] = [];
  const took = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    const [began, used] = [performance.now(), process.cpuUsage()];
    await work();
    const { user, system } = process.cpuUsage(used);
    const each = ((user + system) / size).toFixed(1);
    say({ what: `${what} ${size} vectors (${each} µs of a processor each)`, times: [performance.now() - began] });
  };
  await took('sealing', async () => {
    for (const [doc, plain] of packed.entries()) {
      const secrets = ids.slice(Math.max(0, doc - 1), doc + 1);
      const sealed = await boxes.seal(doc, { secrets, subjects: [] }, plain, randomBytes(12));
      rows.push({ doc, sealed: sealed!, changed: 0 });
    }
  });
  const reader = {
    vectorsFrom: async (_bank: string, _space: unknown, doc: number, limit: number) => rows.slice(doc, doc + limit),
  } as unknown as ViewsReader;
  const loaded = emptyBankVectors('bank', space, vault);
  await took(`opening, of ${rows.at(-1)!.sealed.length} bytes each,`, () =>
    loaded.refresh(reader, { mark: size, changes: 0, blanked: 0 }),
  );
  const again = emptyBankVectors('bank', space, vault, loaded.opened);
  await took('reading again, after an erasure,', () => again.refresh(reader, { mark: size, changes: 0, blanked: 0 }));
  if (loaded.damaged > 0) throw new Error(`${loaded.damaged} did not open`);
  await vault.close();
}

/** What `hnsw.iterative_scan` is for: the same question of the tenant with 5% of the rows, without it. */
async function withoutIterating(
  connections: Connections,
  vectors: readonly DocVector[],
  asked: readonly Float32Array[],
  say: (line: Line) => void,
): Promise<void> {
  const [table] = await connections.run<{ name: string; bank: number }>({
    text: `SELECT name, hindsight.hl_bank_number('tenant') AS bank FROM hindsight.hl_nearest_spaces`,
  });
  const right = nearestOf(vectors, 'tenant', asked);
  for (const candidates of [40, 400])
    await connections.transaction(async (client) => {
      await client.query(`SET LOCAL enable_sort = off; SET LOCAL hnsw.ef_search = ${candidates}`);
      const found: number[][] = [];
      const times = await timed(asked, async (vector) => {
        const { rows } = await client.query<{ doc: number }>(
          `SELECT doc FROM hindsight.${table!.name} WHERE bank = $1 ORDER BY vector <=> $2::halfvec LIMIT ${k}`,
          [table!.bank, toSql(Array.from(vector))],
        );
        found.push(rows.map(({ doc }) => doc));
      });
      const what = `of a bank of ${sizes.tenant}, no iterative scan, ef_search ${candidates}`;
      say({ what, times, recall: recallOf(found, right) });
    });
}

/** The same vectors in whole and in half precision, over all banks: what half saves and costs. */
async function wholePrecision(
  connections: Connections,
  vectors: readonly DocVector[],
  asked: readonly Float32Array[],
  say: (line: Line) => void,
): Promise<void> {
  const rows = vectors.map(({ vector }, doc) => ({ bank: 1, doc, vector }));
  const right = nearestOf(
    rows.map((row) => ({ ...row, bank: 'all' })),
    'all',
    asked,
  );
  await connections.run({ text: `CREATE TABLE given (bank integer, doc bigint, vector vector(${dimensions}))` });
  await connections.transaction((client) => copyVectors(client, 'given', rows));
  for (const type of ['vector', 'halfvec']) {
    await connections.run({ text: `CREATE TABLE in_${type} AS SELECT doc, vector::${type}(${dimensions}) FROM given` });
    const built = performance.now();
    const client = await connections.own();
    await client.query(`SET maintenance_work_mem = '1GB'`);
    await client.query(`CREATE INDEX ON in_${type} USING hnsw (vector ${type}_cosine_ops)`);
    await client.query(`ANALYZE in_${type}`);
    await client.end();
    say({ what: `${type}: building the index`, times: [performance.now() - built] });
    const [size] = await connections.run<{ heap: number; index: number }>({
      text: `SELECT pg_table_size('in_${type}') AS heap, pg_indexes_size('in_${type}') AS index`,
    });
    const megabytes = ` (${(size!.heap / 2 ** 20).toFixed(0)} MB, index ${(size!.index / 2 ** 20).toFixed(0)} MB)`;
    for (const candidates of [40, 100])
      await connections.transaction(async (transaction) => {
        await transaction.query(`SET LOCAL hnsw.ef_search = ${candidates}`);
        const found: number[][] = [];
        const times = await timed(asked, async (vector) => {
          const { rows: near } = await transaction.query<{ doc: number }>(
            `SELECT doc FROM in_${type} ORDER BY vector <=> $1::${type} LIMIT ${k}`,
            [toSql(Array.from(vector))],
          );
          found.push(near.map(({ doc }) => doc));
        });
        say({ what: `${type}${megabytes}, ef_search ${candidates}`, times, recall: recallOf(found, right) });
      });
  }
}

function nearestOf(vectors: readonly DocVector[], bank: string, asked: readonly Float32Array[]): number[][] {
  const own = vectors.filter((each) => each.bank === bank);
  return asked.map((to) => {
    const scored = own.map(({ doc, vector }) => ({ doc, similarity: cosine(vector, to) }));
    return scored
      .sort((one, other) => other.similarity - one.similarity)
      .slice(0, k)
      .map(({ doc }) => doc);
  });
}

function recallOf(found: readonly number[][], right: readonly number[][]): number {
  const hits = found.reduce((sum, docs, at) => sum + docs.filter((doc) => right[at]!.includes(doc)).length, 0);
  return hits / (right.length * k);
}

async function timed(asked: readonly Float32Array[], ask: (vector: Float32Array) => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  for (const vector of asked) {
    const began = performance.now();
    await ask(vector);
    times.push(performance.now() - began);
  }
  return times;
}
