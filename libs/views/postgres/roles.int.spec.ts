import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ErrorCode, isHindsightError } from '#contract/errors.js';
import { freshDatabase, type TestDatabase } from '#test/engines/engines.js';
import { memoriesShape, memoriesTable } from '../tables/memories.js';
import type { Views } from '../views.js';
import { openPostgresViews } from './open-postgres-views.js';
import { type QueryLogin, queryLogin } from './testing/query-login.js';

const a = (code: ErrorCode) => (error: unknown) => isHindsightError(error, code);
const log = { info: () => undefined, warn: () => undefined };

describe('roles of the views', () => {
  let database: TestDatabase;
  let admin: pg.Client;
  let login: QueryLogin | undefined;
  const opened: Views[] = [];

  const open = async (role: 'projector' | 'query', url: string): Promise<Views> => {
    const shapes = [memoriesShape];
    const views = await openPostgresViews(url, { ledger: 'l1', shapes, partitions: 2, role, log });
    opened.push(views);
    return views;
  };

  beforeAll(async () => {
    database = await freshDatabase();
    admin = new pg.Client(database.url);
    await admin.connect();
  });
  afterAll(async () => {
    for (const views of opened) await views.close();
    await admin.end();
    await login?.drop();
    await database.drop();
  });

  it('tell a query that there are no views yet', async () => {
    await expect(open('query', database.url)).rejects.toSatisfy(a('views_missing'));
  });

  it('name the statement that lets a role read them', async () => {
    await open('projector', database.url);
    const role = `hl_test_${randomBytes(6).toString('hex')}`;
    await admin.query(`CREATE ROLE ${role} LOGIN`);
    const refused = await open('query', database.urlOf(role)).catch((error: unknown) => error);
    await admin.query(`DROP ROLE ${role}`);
    expect(refused).toSatisfy(a('database_refused'));
    expect(String(refused)).toContain(`GRANT hindsight_query TO ${role}`);
  });

  it('let a query see generations and checkpoints, and refuse all that writes', async () => {
    const [projector] = opened;
    const id = await projector!.startGeneration(memoriesShape);
    login = await queryLogin(database);
    const views = await open('query', login.url);
    expect(await views.stamp()).toBe(await projector!.stamp());
    expect(await views.generations()).toMatchObject([{ ...id, active: true }]);
    expect(await views.checkpoints(id)).toHaveLength(2);
    expect(await views.deadLetters(id)).toEqual([]);
    for (const refused of [
      views.startGeneration(memoriesShape),
      views.drop([id]),
      views.switchTo([id]),
      views.commit([]),
      views.lease('work', 'me', 1000),
      views.load(id, [{ table: memoriesTable, group: ['b1', 'm1'] }]),
      views.dump(id),
    ])
      await expect(refused).rejects.toSatisfy(a('not_writable'));
  });

  it('tell a query when the views were lost, and let it go on when they are there again', async () => {
    const [projector, views] = opened;
    const before = await views!.stamp();
    await admin.query('DROP SCHEMA hindsight CASCADE');
    await expect(views!.stamp()).rejects.toSatisfy(
      (error) => a('views_missing')(error) || a('database_refused')(error),
    );
    await projector!.stamp();
    expect(await views!.stamp()).not.toBe(before);
    expect(await views!.generations()).toEqual([]);
  });
});
