import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isHindsightError } from '#contract/errors.js';
import { createEmbedding } from '#projector/embedding/create-embedding.js';
import { allProjections } from '#projector/projections/all-projections.js';
import { history } from '#projector/test-support/history.js';
import { type TestHome, testHome } from '#projector/test-support/test-home.js';
import { fakeEmbedder } from '#understanding/embeddings/test-support/fake-embedder.js';
import type { ViewsReader } from '../../reader.js';
import { type PostgresStation, postgresStation } from '../testing/postgres-station.js';

const banks = ['b1', 'b2', 'b3', 'b4', 'b5'];

describe('a query over PostgreSQL', () => {
  let home: TestHome;
  let station: PostgresStation;
  let client: pg.Client;
  let tables: string[];
  let projected: number;

  beforeAll(async () => {
    home = await testHome();
    for (const bank of banks) {
      const events = history(home.ledger, home.vault, bank, `${bank}-`);
      await events.createBank(`the name of ${bank}`);
      await events.write(`${bank}-memory`, { content: 'the same text', key: 'slot', tags: ['red'], session: bank });
      await events.write(`${bank}-other`, { content: 'something else', subjects: ['Ada'] });
      await events.forget(`${bank}-other`);
      await events.write(`${bank}-derived`, { derivedFrom: [`${bank}-memory`] });
      await events.recallServed(undefined, { items: [{ memoryId: 'm', version: 1, score: 1 }], subjects: ['Ada'] });
      await events.order(`${bank}-order`, 1, 1);
      await events.erase(`${bank}-derived`);
      await events.rate(`${bank}-memory`, 'useful');
      await events.enrich(`${bank}-memory`, { names: ['Ada'] });
    }
    station = await postgresStation(home);
    await station.projector.catchUp({ everything: true });
    const deps = { ledger: home.ledger, vault: home.vault, views: station.views };
    const log = { info: () => undefined, warn: () => undefined };
    await createEmbedding({ ...deps, embedder: fakeEmbedder(), log }).untilDone();
    client = new pg.Client(station.login.url);
    await client.connect();
    const { rows } = await client.query('SELECT unnest(tables) AS name FROM hindsight.hl_generations');
    const spaces = await client.query('SELECT name FROM hindsight.hl_vector_spaces');
    const ofVectors = ['hl_vector_banks', 'hl_vector_marks', ...spaces.rows.map(({ name }) => name)];
    projected = rows.length;
    tables = [...rows.map(({ name }) => name), ...ofVectors].map((name) => `hindsight.${name}`);
  });
  afterAll(async () => {
    await client.end();
    await station.remove();
    await home.remove();
  });

  const count = async (table: string): Promise<number> =>
    (await client.query(`SELECT count(*)::integer AS rows FROM ${table}`)).rows[0].rows;
  const numberOf = async (bank: string): Promise<number> =>
    (await client.query('SELECT hindsight.hl_bank_number($1) AS number', [bank])).rows[0].number;

  it('sees no row of any table while no bank is set, and after the transaction that set one', async () => {
    expect(projected).toBe(allProjections.flatMap((each) => each.tables).length);
    expect(tables).toHaveLength(projected + 3);
    for (const table of tables) expect(await count(table)).toBe(0);
    await client.query('BEGIN');
    await client.query(`SELECT set_config('hindsight.bank', $1, true)`, [await numberOf('b2')]);
    for (const table of tables) expect(await count(table)).toBeGreaterThan(0);
    await client.query('COMMIT');
    for (const table of tables) expect(await count(table)).toBe(0);
    await client.query(`SELECT set_config('hindsight.bank', '', false)`);
    for (const table of tables) expect(await count(table)).toBe(0);
  });

  it('sees the rows of the bank that is set, whichever it asks for', async () => {
    const [own, other] = [await numberOf('b1'), await numberOf('b2')];
    await client.query('BEGIN');
    await client.query(`SELECT set_config('hindsight.bank', $1, true)`, [own]);
    for (const table of tables) {
      const { rows } = await client.query(`SELECT DISTINCT bank FROM ${table} WHERE bank = $1 OR bank <> $1`, [other]);
      expect(rows).toEqual([{ bank: own }]);
    }
    await client.query('COMMIT');
  });

  it.each([
    'SELECT * FROM hindsight.hl_banks',
    'SELECT * FROM hindsight.hl_numbers',
    'INSERT INTO hindsight.hl_meta VALUES ($$a$$, $$b$$)',
    'UPDATE hindsight.hl_checkpoints SET position = NULL',
    'DELETE FROM hindsight.hl_generations',
    'CREATE TABLE hindsight.mine (id integer)',
    'CREATE FUNCTION hindsight.hl_bank_number(integer) RETURNS integer LANGUAGE sql AS $$SELECT 1$$',
    'SET ROLE postgres',
    'ALTER TABLE hindsight.hl_meta DISABLE ROW LEVEL SECURITY',
  ])('may not: %s', async (statement) => {
    await expect(client.query(statement)).rejects.toThrow(/permission denied|must be owner/);
  });

  it('may not write, empty, alter or drop any table, nor turn its row-level security off', async () => {
    for (const table of tables)
      for (const statement of [
        `DELETE FROM ${table}`,
        `UPDATE ${table} SET bank = 1`,
        `TRUNCATE ${table}`,
        `DROP TABLE ${table}`,
        `ALTER TABLE ${table} DISABLE ROW LEVEL SECURITY`,
        `DROP POLICY of_one_bank ON ${table}`,
        `COPY ${table} FROM STDIN`,
      ])
        await expect(client.query(statement)).rejects.toThrow(/permission denied|must be owner/);
    await client.query('SET row_security = off');
    await expect(client.query(`SELECT * FROM ${tables[0]}`)).rejects.toThrow(/row-level security/);
    await client.query('RESET row_security');
  });

  it('never mixes banks that take turns on a pool of one', async () => {
    const reader = (await station.query(1)).reader();
    const ofBank = async (bank: string) => {
      const [docs, spans, changes, memory, head, counts] = await Promise.all([
        reader.docsFrom(bank, 0),
        reader.spansChangedAfter(bank, 0),
        reader.changesOf(bank, `${bank}-other`),
        reader.memory(bank, `${bank}-memory`),
        reader.headMoment(bank),
        reader.counts(bank, '2030-01-01T00:00:00.000Z'),
      ]);
      const versions = await reader.versionsByDoc(bank, [0, 1]);
      expect(versions.map(({ memoryId }) => memoryId)).toEqual([`${bank}-memory`, `${bank}-other`]);
      expect(docs.map(({ memoryId }) => memoryId)).toEqual(
        ['memory', 'other', 'derived'].map((name) => `${bank}-${name}`),
      );
      expect(spans.every(({ memoryId }) => memoryId.startsWith(bank))).toBe(true);
      expect(changes.map(({ bank: of, eventId }) => [of, eventId])).toEqual([
        [bank, `${bank}-3`],
        [bank, `${bank}-4`],
      ]);
      expect(memory).toMatchObject({ bank, memoryId: `${bank}-memory` });
      expect(head).toMatchObject({ bank, seq: 9, eventId: `${bank}-10` });
      expect(counts.reduce((sum, each) => sum + each.count, 0)).toBe(3);
      expect(await reader.docsWhere(bank, { sessionId: bank })).toEqual([0]);
      for (const other of banks)
        if (other !== bank) expect(await reader.memory(bank, `${other}-memory`)).toBeUndefined();
    };
    for (let round = 0; round < 5; round++) await Promise.all(banks.map(ofBank));
  });

  it('is answered by a reader that fails, or meets an odd name of a bank, no differently after', async () => {
    const views = await station.query(1);
    const reader = views.reader();
    for (const bank of [`b1'`, `'; DROP SCHEMA hindsight CASCADE; --`, `b1\\'`, '', '$1'])
      expect(await reader.headMoment(bank)).toBeUndefined();
    await expect(reader.versionsByDoc('b1', [Number.NaN])).rejects.toThrow();
    expect(await reader.headMoment('b1')).toMatchObject({ seq: 9 });
  });

  it('asks over banks only what the owner’s functions tell', async () => {
    const reader: ViewsReader = await station.reader();
    expect(await reader.isMemoryOfAnotherBank('b1', 'b2-memory')).toBe(true);
    expect(await reader.isMemoryOfAnotherBank('b2', 'b2-memory')).toBe(false);
    expect((await reader.banks()).map(({ bank, type }) => [bank, type])).toEqual(
      banks.map((bank) => [bank, 'BankCreated']),
    );
    const stranger = new pg.Client(station.database.url);
    await stranger.connect();
    const { rows } = await stranger.query(
      `SELECT proname FROM pg_proc AS f WHERE pronamespace = 'hindsight'::regnamespace AND prosecdef AND proacl IS NULL`,
    );
    await stranger.end();
    expect(rows).toEqual([]);
  });

  it('reads on while generations are switched and dropped between its reads', async () => {
    const reader = await station.reader();
    const expected = await reader.docsFrom('b1', 0);
    let replaying = true;
    const replayed = (async () => {
      for (let round = 0; round < 3; round++) await station.projector.replay();
      replaying = false;
    })();
    let reads = 0;
    while (replaying) {
      expect(await reader.docsFrom('b1', 0)).toEqual(expected);
      expect(await reader.headMoment('b1')).toMatchObject({ seq: 9 });
      expect(await reader.changesOf('b1', 'b1-other')).toHaveLength(2);
      reads++;
    }
    await replayed;
    expect(reads).toBeGreaterThan(3);
  });

  it('is told when the views were lost, and answered again when they are there', async () => {
    const lost = await postgresStation(home);
    await lost.projector.catchUp();
    const reader = await lost.reader();
    const head = await reader.headMoment('b1');
    const admin = new pg.Client(lost.database.url);
    await admin.connect();
    await admin.query('DROP SCHEMA hindsight CASCADE');
    await admin.end();
    await expect(reader.headMoment('b1')).rejects.toSatisfy((error) => isHindsightError(error));
    await lost.projector.catchUp();
    expect(await reader.headMoment('b1')).toEqual(head);
    await lost.remove();
  });
});
