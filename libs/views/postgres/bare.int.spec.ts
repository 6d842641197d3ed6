import pg from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isHindsightError } from '#contract/errors.js';
import { freshDatabase, type TestDatabase } from '#test/engines/engines.js';
import { canonicalDump } from '../canonical-dump.js';
import { type Row, table } from '../table.js';
import type { GenerationChange, GenerationId, ProjectionShape, TableChange, Views } from '../views.js';
import { openPostgresViews } from './open-postgres-views.js';

const facts = table({
  name: 'facts',
  columns: { bank: 'bank', fact: 'integer', text: 'text' },
  key: ['bank', 'fact'],
  onlyAdded: true,
  indexes: [{ columns: ['bank', 'text'] }],
});
const heads = table({
  name: 'heads',
  columns: { bank: 'bank', id: 'text', size: 'integer' },
  key: ['bank', 'id'],
  indexes: [{ columns: ['bank', 'size'] }],
});
const strips = table({
  name: 'strips',
  columns: { bank: 'bank', term: 'hex', block: 'integer', bytes: 'blob' },
  key: ['bank', 'term', 'block'],
  appended: { blob: 'bytes', by: 'term' },
});
const shape: ProjectionShape = { name: 'sample', version: 1, tables: [facts, heads, strips] };

const log = { info: () => undefined, warn: () => undefined };
const [one, other] = ['00112233445566ff', 'fedcba9876543210'];

/** What stands in a generation that is built beside the one in use, and what a kill or another process leaves of it. */
describe('a generation that is built in PostgreSQL before anybody reads it', () => {
  let database: TestDatabase;
  let views: Views;
  let inUse: GenerationId;
  let built: GenerationId;
  let client: pg.Client;
  const opened: Views[] = [];
  const databases: TestDatabase[] = [];

  const open = async (): Promise<Views> => {
    const options = { ledger: 'l1', shapes: [shape], partitions: 2, role: 'projector', log } as const;
    const found = await openPostgresViews(database.url, options);
    opened.push(found);
    return found;
  };
  const rowsOf = (of: TableChange['table'], rows: Partial<TableChange>): TableChange => ({
    table: of,
    added: [],
    changed: [],
    appended: [],
    ...rows,
  });
  const change = (
    partition: number,
    [from, to]: readonly [string | undefined, string],
    tables: readonly TableChange[],
    rest: Partial<GenerationChange> = {},
  ): Omit<GenerationChange, 'id'> => ({
    partition,
    from,
    to: { position: to, systemTime: '2026-03-01T09:00:00.000Z' },
    numbers: new Map([[`b${partition}`, { seq: Number(to), docs: Number(to) }]]),
    tables,
    setAside: [],
    ...rest,
  });
  const head = (bank: string, id: string, size: number): Row => ({ bank, id, size });
  const newHeads = (...rows: Row[]): TableChange => rowsOf(heads, { changed: rows, unseen: new Set(rows) });
  const fact = (bank: string, number: number): TableChange =>
    rowsOf(facts, { added: [{ bank, fact: number, text: `a\tline\n\\${number}` }] });
  const pieces = (bank: string, block: number, ...all: [string, string][]): TableChange =>
    rowsOf(strips, { appended: [{ shared: { bank, block }, pieces: new Map(all) }] });

  /** One life of two partitions: rows that are new, replaced, met again though they passed for new, and blobs that grow. */
  const life = [
    change(
      0,
      [undefined, '01'],
      [fact('b0', 1), newHeads(head('b0', 'x', 1)), pieces('b0', 0, [one, '0011'], [other, '0021'])],
    ),
    change(1, [undefined, '02'], [fact('b1', 1), newHeads(head('b1', 'x', 7)), pieces('b1', 0, [one, 'ffff'])]),
    change(
      0,
      ['01', '03'],
      [fact('b0', 2), rowsOf(heads, { changed: [head('b0', 'x', 2)] }), pieces('b0', 0, [one, '0001'])],
    ),
    change(0, ['03', '04'], [newHeads(head('b0', 'y', 3)), pieces('b0', 1, [one, '00'], [other, 'a0'], ['aa', 'cc'])]),
    change(0, ['04', '05'], [newHeads(head('b0', 'y', 4)), pieces('b0', 0, [other, '0002'], ['aa', 'dd'])]),
    change(1, ['02', '06'], [pieces('b1', 0, [one, '00'], [other, '01'])]),
  ];
  const of = (id: GenerationId, index: number): GenerationChange => ({ id, ...life[index]! });
  const lines = async (id: GenerationId, from: Views = views): Promise<string[]> => {
    const found: string[] = [];
    for await (const line of canonicalDump(from, id)) found.push(line);
    return found;
  };
  const indexes = async (): Promise<string[]> => {
    const { rows } = await client.query<{ indexdef: string }>(
      `SELECT regexp_replace(indexdef, '_g\\d+', '', 'g') AS indexdef FROM pg_indexes WHERE schemaname = 'hindsight' AND tablename ~ $1 ORDER BY 1`,
      [`_g${built.generation}$`],
    );
    return rows.map(({ indexdef }) => indexdef);
  };

  beforeEach(async () => {
    database = await freshDatabase();
    databases.push(database);
    client = new pg.Client(database.url);
    await client.connect();
    views = await open();
    inUse = await views.startGeneration(shape);
    for (const [index] of life.entries()) await views.commit([of(inUse, index)]);
    built = await views.startGeneration(shape);
  });
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
    await client.end();
  });
  afterAll(() => Promise.all(databases.map((each) => each.drop())));

  it('comes to the same rows, whether written at once or later, and has the same indexes when it is switched to', async () => {
    const same = await lines(inUse);
    const behind = views.writeBehind!();
    for (const [index] of life.entries()) {
      await behind.commit([of(built, index)]);
      if (index === 2) await behind.settled();
    }
    expect(await behind.numbersOf(built, ['b0', 'b1', 'b9'])).toEqual(await views.numbersOf(inUse, ['b0', 'b1']));
    expect(await behind.load(built, [{ table: heads, group: ['b0', 'y'] }])).toEqual([[head('b0', 'y', 4)]]);
    expect(await lines(built, behind)).toEqual(same);
    expect(await behind.switchTo([built])).toBe(true);
    expect(await lines(built)).toEqual(same);
    const made = await indexes();
    built = inUse;
    expect(made).toEqual(await indexes());
    expect(made).toHaveLength(5);
    expect((await client.query(`SELECT FROM pg_class WHERE relname ~ '_pieces_g'`)).rows).toEqual([]);

    const third = await views.startGeneration(shape);
    for (const [index] of life.entries()) await views.commit([of(third, index)]);
    expect(await lines(third)).toEqual(same);
  });

  it('is written no further than its checkpoints say when the process ends, and gone on with by another', async () => {
    const behind = views.writeBehind!();
    await behind.commit([of(built, 0), of(built, 1)]);
    await behind.settled();
    await behind.commit([of(built, 2)]);
    const next = await open();
    expect(await next.checkpoints(built)).toMatchObject([{ position: '01' }, { position: '02' }]);
    expect((await next.generations()).find(({ active }) => active)).toMatchObject(inUse);
    for (const index of [2, 3, 4, 5]) await next.commit([of(built, index)]);
    // The first one comes to its end late: nothing of it is written, and it is told so.
    await expect(behind.settled()).rejects.toSatisfy((error) => isHindsightError(error, 'checkpoint_moved'));
    expect(await lines(built, next)).toEqual(await lines(inUse));
    await expect(behind.commit([of(built, 3)]).then(() => behind.settled())).rejects.toSatisfy((error) =>
      isHindsightError(error, 'checkpoint_moved'),
    );
  });

  it('is finished once, by whoever comes first, and never used before', async () => {
    for (const [index] of life.entries()) await views.commit([of(built, index)]);
    await expect(
      client.query('UPDATE hindsight.hl_generations SET active = true WHERE generation = $1', [built.generation]),
    ).rejects.toThrow(/hl_generations_(bare|active)/);
    const next = await open();
    const switched = await Promise.all([views.switchTo([built]), next.switchTo([built])]);
    expect(switched).toContain(true);
    expect(await lines(built)).toEqual(await lines(inUse));
  });

  it('loses the rows of a bank that ended, those that wait among them', async () => {
    const ends = change(0, ['05', '07'], [fact('b0', 9)], { purges: { banks: ['b0'], memories: [], steps: [] } });
    const behind = views.writeBehind!();
    for (const [index] of life.entries()) await behind.commit([of(built, index)]);
    await behind.commit([{ id: built, ...ends }]);
    await views.commit([{ id: inUse, ...ends }]);
    expect(await lines(built, behind)).toEqual(await lines(inUse));
  });
});
