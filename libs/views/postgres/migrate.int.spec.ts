import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isHindsightError } from '#contract/errors.js';
import { freshDatabase, type TestDatabase } from '#test/engines/engines.js';
import { type Connections, openConnections } from './connections.js';
import { checkStore, migrate } from './migrate.js';
import { type Migration, migrations } from './migrations.js';
import { createStore } from './store.js';

const log = { info: () => undefined, warn: () => undefined };
const owner = { ledger: 'l1', partitions: 2 };
const code = (name: Parameters<typeof isHindsightError>[1]) => (error: unknown) => isHindsightError(error, name);

describe('migrations of the views', () => {
  let database: TestDatabase;
  const opened: Connections[] = [];
  const connect = (url = database.url): Connections => {
    const connections = openConnections(url, { role: 'projector', poolSize: 2, log });
    opened.push(connections);
    return connections;
  };
  const next = (breaks: boolean): Migration => ({
    number: migrations.length + 1,
    name: 'of a later release',
    breaks,
    statements: ['CREATE TABLE hindsight.hl_later (name text)'],
  });

  beforeAll(async () => {
    database = await freshDatabase();
  });
  afterAll(async () => {
    await Promise.all(opened.map((each) => each.close()));
    await database.drop();
  });

  it('say that there are no views where nothing was migrated', async () => {
    await expect(checkStore(connect(), owner)).rejects.toSatisfy(code('views_missing'));
  });

  it('are done once, whoever begins at the same moment', async () => {
    await Promise.all([1, 2, 3, 4].map(() => migrate(connect(), owner, log)));
    const steps = await connect().run({ text: 'SELECT number, name FROM hindsight.hl_migrations ORDER BY number' });
    expect(steps).toEqual(migrations.map(({ number, name }) => ({ number, name })));
  });

  it('refuse another ledger and another number of partitions', async () => {
    await expect(migrate(connect(), { ...owner, ledger: 'l2' }, log)).rejects.toThrow(/ledger l1, not of l2/);
    await expect(checkStore(connect(), { ...owner, partitions: 3 })).rejects.toThrow(/made with 2 partitions/);
  });

  it('leave the former release running when a step only adds, and stop it when one breaks it', async () => {
    const former = await createStore(connect(), { ...owner, role: 'projector', log });
    const { stamp } = former.known;
    await migrate(connect(), owner, log, [...migrations, next(false)]);
    expect((await former.refresh()).stamp).not.toBe(stamp);
    await checkStore(connect(), owner);

    const breaking = { ...next(true), number: migrations.length + 2, statements: [] };
    await migrate(connect(), owner, log, [...migrations, next(false), breaking]);
    await expect(former.refresh()).rejects.toSatisfy(code('newer_format'));
    await expect(checkStore(connect(), owner)).rejects.toSatisfy(code('newer_format'));
    await expect(migrate(connect(), owner, log)).rejects.toSatisfy(code('newer_format'));
  });

  it('take the vectors that were not sealed away with their files, and stop the release that would put more', async () => {
    const fresh = await freshDatabase();
    const projector = connect(fresh.url);
    const before = migrations.slice(0, 5);
    await migrate(projector, owner, log, before);
    const former = async () => checkStore(connect(fresh.url), owner, before);
    await former();
    const run = (text: string) => projector.run({ text });
    await run('CREATE EXTENSION IF NOT EXISTS vector');
    await run('CREATE TABLE hindsight.vectors_3_ab (bank integer, doc bigint, packed bytea, vector halfvec(3))');
    await run(`INSERT INTO hindsight.vectors_3_ab VALUES (7, 0, 'packed', '[1,2,3]')`);
    await run(`INSERT INTO hindsight.hl_vector_spaces (name, model, dimensions) VALUES ('vectors_3_ab', 'm', 3)`);
    await run('INSERT INTO hindsight.hl_vector_banks VALUES (7, 4, 2)');
    await run(`INSERT INTO hindsight.hl_vector_marks VALUES ('vectors_3_ab', 7, 1)`);
    await migrate(projector, owner, log);
    const [left] = await run(
      `SELECT to_regclass('hindsight.vectors_3_ab') IS NULL AS gone, (SELECT count(*) FROM hindsight.hl_vector_spaces) AS spaces,
        (SELECT count(*) FROM hindsight.hl_vector_marks) AS marks, (SELECT changes FROM hindsight.hl_vector_banks WHERE bank = 7) AS changes`,
    );
    expect(left).toEqual({ gone: true, spaces: 0, marks: 0, changes: 5 });
    await expect(former()).rejects.toSatisfy(code('newer_format'));
    await Promise.all(opened.splice(0).map((each) => each.close()));
    await fresh.drop();
  });

  it('undo a step that fails, and name the statement for an administrator', async () => {
    const fresh = await freshDatabase();
    const role = `hl_test_${randomBytes(6).toString('hex')}`;
    const admin = new pg.Client(fresh.url);
    await admin.connect();
    await admin.query(`CREATE ROLE ${role} LOGIN`);
    await expect(migrate(connect(fresh.urlOf(role)), owner, log)).rejects.toThrow(
      `may not run: CREATE SCHEMA hindsight AUTHORIZATION ${role}.`,
    );
    const broken = { ...migrations[0]!, statements: [...migrations[0]!.statements, 'SELECT nothing'] };
    await expect(migrate(connect(fresh.url), owner, log, [broken])).rejects.toThrow(/nothing/);
    const { rows } = await admin.query(`SELECT to_regclass('hindsight.hl_meta') AS made`);
    expect(rows).toEqual([{ made: null }]);
    await admin.query('DROP SCHEMA hindsight CASCADE');
    await admin.query(`CREATE SCHEMA hindsight AUTHORIZATION ${role}`);
    await migrate(connect(fresh.urlOf(role)), owner, log);
    await Promise.all(opened.splice(0).map((each) => each.close()));
    await admin.end();
    await fresh.drop();
    const server = new pg.Client(database.url);
    await server.connect();
    await server.query(`DROP ROLE ${role}`);
    await server.end();
  });
});
