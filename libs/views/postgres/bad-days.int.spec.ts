import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ErrorCode, isHindsightError } from '#contract/errors.js';
import { freshDatabase, type TestDatabase } from '#test/engines/engines.js';
import { table } from '../table.js';
import type { GenerationChange, GenerationId, Views } from '../views.js';
import { openPostgresViews, type PostgresViewsOptions } from './open-postgres-views.js';

const notes = table({ name: 'bad_notes', columns: { bank: 'bank', id: 'text' }, key: ['bank', 'id'] });
const shape = { name: 'bad', version: 1, tables: [notes] } as const;

const a = (code: ErrorCode) => (error: unknown) => isHindsightError(error, code);

describe('views in a PostgreSQL that misbehaves', () => {
  let database: TestDatabase;
  let admin: pg.Client;
  const opened: Views[] = [];
  const warned: string[] = [];
  const log = { info: () => undefined, warn: (_: object, sentence: string) => void warned.push(sentence) };

  const open = async (rest: Partial<PostgresViewsOptions> = {}, url = database.url): Promise<Views> => {
    const views = await openPostgresViews(url, {
      ledger: 'l1',
      shapes: [shape],
      partitions: 1,
      role: 'projector',
      log,
      ...rest,
    });
    opened.push(views);
    return views;
  };
  const change = (id: GenerationId, from: string | undefined, to: string, rows: number): GenerationChange => ({
    id,
    partition: 0,
    from,
    to: { position: to, systemTime: '2026-03-01T09:00:00.000Z' },
    numbers: new Map([['b1', { seq: 1, docs: 1 }]]),
    tables: [
      {
        table: notes,
        added: Array.from({ length: rows }, (_, index) => ({ bank: 'b1', id: `${to}.${index}` })),
        changed: [],
        appended: [],
      },
    ],
    setAside: [],
  });
  /** Statements of the adapter that fail from now on, as a full disk or a dying server would make them. */
  const failWith = (body: string) =>
    admin.query(
      `CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN NEW; END $$;
       CREATE OR REPLACE TRIGGER fails BEFORE UPDATE ON hindsight.hl_checkpoints FOR EACH ROW EXECUTE FUNCTION fail()`,
    );
  const connect = async (): Promise<void> => {
    admin = new pg.Client(database.url);
    admin.on('error', () => undefined);
    await admin.connect();
  };

  beforeEach(async () => {
    database = await freshDatabase();
    await connect();
  });
  afterEach(async () => {
    for (const views of opened.splice(0)) await views.close();
    await admin.end();
    await database.drop();
  });

  it('drops the table of a former generation once whoever read it is done, though nothing else happens', async () => {
    const views = await open({ sweepEvery: 50 });
    const id = await views.startGeneration(shape);
    const tables = async () => (await admin.query("SELECT FROM pg_tables WHERE tablename LIKE 'bad_notes%'")).rowCount;
    await admin.query(`BEGIN; LOCK TABLE hindsight.bad_notes_g${id.generation} IN ACCESS SHARE MODE`);
    await views.drop([id]);
    expect(await tables()).toBe(1);
    await admin.query('COMMIT');
    await expect.poll(tables).toBe(0);
  });

  it.each([1, 1000])('names a full disk and leaves nothing of %i rows', async (rows) => {
    const views = await open();
    const id = await views.startGeneration(shape);
    await failWith(`RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full';`);
    await expect(views.commit([change(id, undefined, '01', rows)])).rejects.toSatisfy(a('disk_full'));
    expect(await views.countRows(id)).toEqual(new Map([['bad_notes', 0]]));
    await failWith('');
    await views.commit([change(id, undefined, '01', rows)]);
    expect(await views.countRows(id)).toEqual(new Map([['bad_notes', rows]]));
  });

  it.each([1, 1000])(
    'names a server that shuts down, leaves nothing of %i rows, and connects again by itself',
    async (rows) => {
      const views = await open();
      const id = await views.startGeneration(shape);
      await failWith('PERFORM pg_terminate_backend(pg_backend_pid());');
      await expect(views.commit([change(id, undefined, '01', rows)])).rejects.toSatisfy(a('unreachable'));
      await failWith('');
      expect(await views.countRows(id)).toEqual(new Map([['bad_notes', 0]]));
      await views.commit([change(id, undefined, '01', rows)]);
      // Connections that were idle then are found broken, too.
      await admin.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
      await expect.poll(() => views.countRows(id).catch(() => undefined)).toEqual(new Map([['bad_notes', rows]]));
    },
  );

  it('ends a COPY whose connection breaks, and one that the server refuses in the middle', async () => {
    const views = await open();
    const id = await views.startGeneration(shape);
    const name = `hindsight.bad_notes_g${id.generation}`;
    await admin.query(
      `CREATE FUNCTION fail_at() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF NEW.id = '01.700' THEN RAISE EXCEPTION 'no room' USING ERRCODE = 'disk_full'; END IF;
         IF NEW.id = '02.700' THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
         RETURN NEW; END $$;
       CREATE TRIGGER fails BEFORE INSERT ON ${name} FOR EACH ROW EXECUTE FUNCTION fail_at()`,
    );
    await expect(views.commit([change(id, undefined, '01', 20_000)])).rejects.toSatisfy(a('disk_full'));
    await expect(views.commit([change(id, undefined, '02', 20_000)])).rejects.toSatisfy(a('unreachable'));
    await views.commit([change(id, undefined, '03', 20_000)]);
    expect(await views.countRows(id)).toEqual(new Map([['bad_notes', 20_000]]));
  });

  it('tries again what other transactions got in the way of', async () => {
    const views = await open();
    const id = await views.startGeneration(shape);
    await admin.query('CREATE SEQUENCE tried; GRANT ALL ON SEQUENCE tried TO PUBLIC');
    await failWith(
      `IF nextval('tried') < 3 THEN RAISE EXCEPTION 'collided' USING ERRCODE = 'deadlock_detected'; END IF;`,
    );
    await views.commit([change(id, undefined, '01', 5)]);
    expect(await views.countRows(id)).toEqual(new Map([['bad_notes', 5]]));
  });

  it('says that a server has no connection left', async () => {
    const role = `hl_test_${randomBytes(6).toString('hex')}`;
    const views = await open();
    const id = await views.startGeneration(shape);
    await admin.query(`CREATE ROLE ${role} LOGIN; GRANT ALL ON SCHEMA hindsight TO ${role};
      GRANT ALL ON ALL TABLES IN SCHEMA hindsight TO ${role}; ALTER ROLE ${role} CONNECTION LIMIT 1`);
    const holder = new pg.Client(database.urlOf(role));
    const limited = await open({}, database.urlOf(role));
    await expect.poll(() => holder.connect().then(() => 'taken', String)).toContain('too many');
    await expect(Promise.all([limited.generations(), limited.generations(), limited.dump(id)])).rejects.toSatisfy(
      a('ledger_busy'),
    );
    await expect.poll(() => limited.generations().catch(() => [])).toHaveLength(1);
    await limited.close();
    opened.pop();
    await admin.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });

  it('comes back when the database is dropped and made again, empty', async () => {
    const [views, other] = [await open(), await open()];
    const id = await views.startGeneration(shape);
    await views.commit([change(id, undefined, '01', 3)]);
    const before = [await views.stamp(), await other.stamp()];
    await admin.end();
    const server = new pg.Client(database.urlOf('postgres').replace(database.name, 'postgres'));
    await server.connect();
    await server.query(`DROP DATABASE ${database.name} WITH (FORCE)`);
    await expect.poll(() => views.stamp().catch((error: unknown) => a('unreachable')(error))).toBe(true);
    await server.query(`CREATE DATABASE ${database.name}`);
    await server.end();
    await connect();

    await expect(views.commit([change(id, '01', '02', 3)])).rejects.toSatisfy(a('checkpoint_moved'));
    expect(await views.stamp()).not.toBe(before[0]);
    expect(await other.stamp()).not.toBe(before[1]);
    expect(await views.generations()).toEqual([]);
    // What the other still has in hand means nothing here, whatever was made here meanwhile.
    const next = await views.startGeneration(shape);
    await views.commit([change(next, undefined, '01', 1)]);
    await expect(other.commit([change(id, '01', '02', 3)])).rejects.toSatisfy(a('checkpoint_moved'));
    await expect(other.load(id, [{ table: notes, group: ['b1', '01.0'] }])).rejects.toSatisfy(a('checkpoint_moved'));
    expect(await other.countRows(next)).toEqual(new Map([['bad_notes', 1]]));
    expect(warned).toContain('the views are gone: making them anew from the ledger');
  });

  it('removes the tables of a generation when nobody reads them any more', async () => {
    const views = await open();
    const id = await views.startGeneration(shape);
    await views.commit([change(id, undefined, '01', 5_000)]);
    const { rows } = await views.dump(id);
    const reading = rows[Symbol.asyncIterator]();
    expect((await reading.next()).value).toMatchObject({ row: { id: '01.0' } });
    await views.drop([id]);
    await expect(views.countRows(id)).resolves.toEqual(new Map([['bad_notes', 5_000]]));
    await expect(views.commit([change(id, '01', '02', 1)])).rejects.toSatisfy(a('checkpoint_moved'));
    let read = 1;
    for (let next = await reading.next(); !next.done; next = await reading.next()) read++;
    expect(read).toBe(5_000);
    await views.startGeneration(shape);
    await expect(views.countRows(id)).rejects.toSatisfy(a('checkpoint_moved'));
  });
});
