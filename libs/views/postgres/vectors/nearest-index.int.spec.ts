import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isHindsightError } from '#contract/errors.js';
import { freshDatabase, type TestDatabase } from '#test/engines/engines.js';
import type { VectorSpace } from '#understanding/embeddings/embedder.js';
import { type Connections, openConnections } from '../connections.js';
import { createStore, type PostgresStore } from '../store.js';
import { type QueryLogin, queryLogin } from '../testing/query-login.js';
import { createNearestIndex, type DocVector, type NearestIndex } from './nearest-index.js';
import { nearestNamesOf } from './nearest-space.js';
import { clusteredVectors, cosine } from './testing/clustered-vectors.js';

const log = { info: () => undefined, warn: () => undefined };
const owner = { ledger: 'l1', partitions: 2 };
const space: VectorSpace = { model: `e5'; DROP TABLE "hindsight".hl_meta; --`, dimensions: 64 };
const invalid = (error: unknown) => isHindsightError(error, 'invalid_input');

describe('the nearest vectors in PostgreSQL', () => {
  let database: TestDatabase;
  let login: QueryLogin;
  let projector: PostgresStore;
  let query: PostgresStore;
  let written: NearestIndex;
  let asked: NearestIndex;
  const opened: Connections[] = [];
  const open = async (url: string, role: 'projector' | 'query') => {
    const connections = openConnections(url, { role, poolSize: 1, log });
    opened.push(connections);
    return createStore(connections, { ...owner, role, log });
  };

  beforeAll(async () => {
    database = await freshDatabase();
    projector = await open(database.url, 'projector');
    await projector.numberBanks(Array.from({ length: 30 }, (_, at) => `bank${at}`));
    login = await queryLogin(database);
    query = await open(login.url, 'query');
    written = createNearestIndex(projector, { exactUpTo: 400 });
    asked = createNearestIndex(query, { exactUpTo: 400 });
  });
  afterAll(async () => {
    await Promise.all(opened.map((each) => each.close()));
    await database.drop();
    await login.drop();
  });

  const vectorsOf = (bank: string, count: number, seed: number, first = 0): DocVector[] => {
    const next = clusteredVectors(space.dimensions, seed);
    return Array.from({ length: count }, (_, at) => ({ bank, doc: first + at, vector: next() }));
  };
  const nearest = (vectors: readonly DocVector[], bank: string, to: Float32Array, k: number): number[] =>
    vectors
      .filter((each) => each.bank === bank)
      .map(({ doc, vector }) => ({ doc, similarity: cosine(vector, to) }))
      .sort((one, other) => other.similarity - one.similarity)
      .slice(0, k)
      .map(({ doc }) => doc);

  it('knows nothing of a space that was not made, nor of a bank that is not there', async () => {
    const to = clusteredVectors(64, 1)();
    expect(await asked.nearest('bank0', space, to, 3)).toEqual({ exact: true, found: [] });
    await Promise.all([written.make(space), written.make(space)]);
    expect(await asked.nearest('bank0', space, to, 3)).toEqual({ exact: true, found: [] });
    expect(await asked.nearest('nobody', space, to, 3)).toEqual({ exact: true, found: [] });
    await expect(written.put(space, vectorsOf('nobody', 1, 1))).rejects.toThrow(/know no bank nobody/);
  });

  it('finds the nearest of a bank, exactly, and no other bank’s', async () => {
    const few = vectorsOf('bank0', 40, 2);
    const many = vectorsOf('bank1', 300, 2);
    await written.put(space, few);
    await written.put(space, many);
    for (const { vector } of vectorsOf('', 5, 3)) {
      const near = await asked.nearest('bank1', space, vector, 10);
      expect(near.exact).toBe(true);
      // Half precision may swap two that are as near as each other.
      const similarities = nearest(many, 'bank1', vector, 10).map((doc) => cosine(many[doc]!.vector, vector));
      for (const [rank, { doc, similarity }] of near.found.entries()) {
        expect(similarity).toBeCloseTo(similarities[rank]!, 3);
        expect(similarity).toBeCloseTo(cosine(many[doc]!.vector, vector), 3);
      }
      const other = await asked.nearest('bank0', space, vector, 100);
      expect(other.found).toHaveLength(40);
    }
  });

  it('stores the same whether vectors come one by one or as a stream, and replaces what was there', async () => {
    const vectors = vectorsOf('bank2', 100, 4);
    const rows = async () =>
      (await projector.connections.arrays({
        text: `SELECT doc, vector FROM ${nearestNamesOf(space).table} WHERE bank = $1 ORDER BY doc`,
        values: [await projector.bankNumber('bank2')],
      })) as unknown[];
    for (const each of vectors) await written.put(space, [each]);
    const oneByOne = await rows();
    await written.put(space, vectorsOf('bank2', 100, 5));
    expect(await rows()).not.toEqual(oneByOne);
    await written.put(space, vectors);
    expect(await rows()).toEqual(oneByOne);
  });

  it('finds only what is eligible', async () => {
    const vectors = vectorsOf('bank1', 300, 2);
    const to = clusteredVectors(64, 6)();
    const eligible = Uint8Array.from({ length: 280 }, (_, doc) => (doc % 3 === 0 ? 1 : 0));
    const { found } = await asked.nearest('bank1', space, to, 12, eligible);
    const expected = nearest(
      vectors.filter(({ doc }) => eligible[doc]),
      'bank1',
      to,
      12,
    );
    expect(found.map(({ doc }) => doc).sort()).toEqual(expected.sort());
    expect((await asked.nearest('bank1', space, to, 12, new Uint8Array(0))).found).toEqual([]);
  });

  it('never compares vectors of another model or size', async () => {
    const other = { ...space, model: 'another' };
    const small = { ...space, dimensions: 3 };
    await written.make(other);
    await written.make(small);
    await written.put(other, vectorsOf('bank3', 5, 7));
    const [{ vector }] = vectorsOf('bank3', 1, 7) as [DocVector];
    expect((await asked.nearest('bank3', other, vector, 9)).found).toHaveLength(5);
    expect((await asked.nearest('bank3', space, vector, 9)).found).toEqual([]);
    await expect(written.put(small, vectorsOf('bank3', 1, 7))).rejects.toThrow(/has 64 dimensions; 3 finite numbers/);
    await written.drop(other);
    expect((await asked.nearest('bank3', other, vector, 9)).found).toEqual([]);
  });

  it.each([
    ['nothing but 0', new Float32Array(64)],
    ['NaN', new Float32Array(64).fill(Number.NaN)],
    ['Infinity', new Float32Array(64).fill(Infinity)],
    ['1 dimensions', new Float32Array(1).fill(1)],
  ])('refuses a vector that is or holds %s, and writes nothing of its batch', async (what, bad) => {
    const [good] = vectorsOf('bank4', 1, 8) as [DocVector];
    await expect(written.put(space, [good, { ...good, doc: 1, vector: bad }])).rejects.toThrow(what);
    await expect((async () => asked.nearest('bank4', space, bad, 1))()).rejects.toSatisfy(invalid);
    expect((await asked.nearest('bank4', space, good.vector, 9)).found).toEqual([]);
  });

  it('finds .95 of the nearest of a tenant that has 5% of the rows, by the index', async () => {
    const tenants = Array.from({ length: 20 }, (_, at) => vectorsOf(`bank${10 + at}`, 500, 100 + at)).flat();
    await written.put(space, tenants);
    await written.index(space);
    const next = clusteredVectors(space.dimensions, 9);
    let right = 0;
    for (let question = 0; question < 50; question++) {
      const to = next();
      const near = await asked.nearest('bank17', space, to, 10);
      expect(near.exact).toBe(false);
      const expected = new Set(nearest(tenants, 'bank17', to, 10));
      right += near.found.filter(({ doc }) => expected.has(doc)).length;
    }
    expect(right / 500).toBeGreaterThanOrEqual(0.95);
  });

  it('is exact again where few are eligible, or where the index gives up', async () => {
    const to = clusteredVectors(64, 10)();
    const every = (nth: number) => Uint8Array.from({ length: 500 }, (_, doc) => (doc % nth === 0 ? 1 : 0));
    const some = await asked.nearest('bank17', space, to, 10, every(7));
    expect(some.exact).toBe(true);
    expect(some.found.every(({ doc }) => doc % 7 === 0)).toBe(true);
    const most = await asked.nearest('bank17', space, to, 10, new Uint8Array(500).fill(1).fill(0, 0, 5));
    expect(most).toMatchObject({ exact: false });
    expect(most.found.every(({ doc }) => doc >= 5)).toBe(true);
    const all = await asked.nearest('bank17', space, to, 2_000);
    expect(all.exact).toBe(true);
    expect(all.found).toHaveLength(500);
  });

  it('shows the query role no row of a bank that is not set, and lets it write none', async () => {
    const { table } = nearestNamesOf(space);
    const client = new pg.Client(login.url);
    await client.connect();
    const count = async () => (await client.query(`SELECT count(*)::integer AS rows FROM ${table}`)).rows[0].rows;
    expect(await count()).toBe(0);
    await client.query('BEGIN');
    await client.query(`SELECT set_config('hindsight.bank', hindsight.hl_bank_number('bank0')::text, true)`);
    expect(await count()).toBe(40);
    await client.query('COMMIT');
    expect(await count()).toBe(0);
    await expect(client.query(`DELETE FROM ${table}`)).rejects.toThrow(/permission denied/);
    await client.end();
    await expect(createNearestIndex(query).put(space, vectorsOf('bank0', 1, 1))).rejects.toThrow();
  });

  it('purges docs and banks from every space', async () => {
    const other = { ...space, model: 'yet another' };
    await written.make(other);
    await written.put(other, vectorsOf('bank0', 3, 2));
    await written.purge('bank0', [0, 2]);
    const to = clusteredVectors(64, 1)();
    expect((await asked.nearest('bank0', other, to, 9)).found.map(({ doc }) => doc)).toEqual([1]);
    expect((await asked.nearest('bank0', space, to, 100)).found).toHaveLength(38);
    await written.purge('bank0');
    expect((await asked.nearest('bank0', space, to, 9)).found).toEqual([]);
    expect((await asked.nearest('bank1', space, to, 9)).found).toHaveLength(9);
  });
});
