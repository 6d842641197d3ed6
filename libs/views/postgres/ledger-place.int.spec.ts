import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isHindsightError } from '#contract/errors.js';
import { freshDatabase, type TestDatabase } from '#test/engines/engines.js';
import { table } from '../table.js';
import type { Views } from '../views.js';
import { openPostgresViews, type PostgresViewsOptions } from './open-postgres-views.js';

const notes = table({ name: 'placed_notes', columns: { bank: 'bank', id: 'text' }, key: ['bank', 'id'] });
const shape = { name: 'placed', version: 1, tables: [notes] } as const;

describe('views of a ledger that was put back at another place', () => {
  let database: TestDatabase;
  const opened: Views[] = [];
  const warned: string[] = [];
  const log = { info: () => undefined, warn: (_: object, sentence: string) => void warned.push(sentence) };

  const open = async (place: string | undefined, role: PostgresViewsOptions['role'] = 'projector'): Promise<Views> => {
    const options = { ledger: 'l1', shapes: [shape], partitions: 1, role, log, place };
    const views = await openPostgresViews(database.url, options);
    opened.push(views);
    return views;
  };
  /** As far as position 09, with a memory there. */
  const filled = async (views: Views) => {
    const id = await views.startGeneration(shape);
    await views.commit([
      {
        id,
        partition: 0,
        from: undefined,
        to: { position: '09', systemTime: '2026-03-01T09:00:00.000Z' },
        numbers: new Map([['b1', { seq: 1, docs: 1 }]]),
        tables: [{ table: notes, added: [{ bank: 'b1', id: 'lost' }], changed: [], appended: [] }],
        setAside: [],
      },
    ]);
    return id;
  };

  beforeEach(async () => {
    database = await freshDatabase();
    warned.splice(0);
  });
  afterEach(async () => {
    for (const views of opened.splice(0)) await views.close();
    await database.drop();
  });

  it('are refused to a query, and dropped by a projector, whose views are then those of the place', async () => {
    const before = await open('lost');
    const id = await filled(before);
    const stamp = await before.stamp();
    await expect(open('restored', 'query')).rejects.toSatisfy((error) => isHindsightError(error, 'views_missing'));

    const [after, other] = await Promise.all([open('restored'), open('restored')]);
    expect(warned).toContainEqual(expect.stringContaining('the ledger was put back at another place'));
    expect(await after.stamp()).not.toBe(stamp);
    expect(await after.generations()).toEqual([]);
    await expect(before.checkpoints(id)).rejects.toSatisfy((error) => isHindsightError(error, 'checkpoint_moved'));
    const next = await filled(other);
    expect(await (await open('restored', 'query')).generations()).toMatchObject([{ ...next, active: true }]);
    expect(await (await open('restored')).generations()).toMatchObject([{ ...next, position: '09' }]);
  });

  it('of an earlier release, which did not write the place down, are kept, and it is written down', async () => {
    const id = await filled(await open(undefined));
    expect(await (await open('here', 'query')).generations()).toMatchObject([{ ...id, position: '09' }]);
    expect(await (await open('here')).generations()).toMatchObject([{ ...id, position: '09' }]);
    expect(warned).toEqual([]);
    await expect(open('elsewhere', 'query')).rejects.toSatisfy((error) => isHindsightError(error, 'views_missing'));
  });
});
