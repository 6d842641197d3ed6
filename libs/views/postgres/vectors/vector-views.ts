import type pg from 'pg';
import { HindsightError } from '#contract/errors.js';
import type { VectorSpace } from '#understanding/embeddings/embedder.js';
import { versionsShape } from '../../tables/versions.js';
import type { BankBehind, VectorBatch, VectorViews } from '../../vectors.js';
import type { PostgresStore } from '../store.js';
import { feedNearest, makeIndexed } from './nearest-feed.js';
import { dropNearest, nearestNamesOf } from './nearest-space.js';
import { createSpace, namesOf } from './vector-space.js';

/** How statements are run on a store that may be lost, and made anew, at any time. */
export interface VectorAccess {
  /** Whether the nearest-vector search is fed (nearest-feed.ts). */
  readonly nearest: boolean;
  /** Refuses who only reads. */
  writing<T>(work: () => Promise<T>): Promise<T>;
  reading<T>(work: () => Promise<T>): Promise<T>;
}

export function postgresVectors(store: PostgresStore, { nearest, writing, reading }: VectorAccess): VectorViews {
  const { connections } = store;
  const isMade = async (space: VectorSpace): Promise<boolean> => {
    const { name } = namesOf(space);
    const text = 'SELECT FROM hindsight.hl_vector_spaces WHERE name = $1';
    return (await connections.run({ text, values: [name] })).length > 0;
  };

  return {
    takesPacked: nearest,
    make: (space) =>
      writing(() =>
        connections.transaction(async (client) => {
          await makeSpace(client, space);
          if (nearest) await makeIndexed(client, space, connections.place);
        }),
      ),
    spaces: () =>
      reading(() =>
        connections.run<{ model: string; dimensions: number }>({
          text: 'SELECT model, dimensions FROM hindsight.hl_vector_spaces ORDER BY made',
        }),
      ),
    drop: (space) => writing(() => connections.transaction((client) => dropSpace(client, space))),
    put: (bank, space, batch) =>
      writing(async () => {
        const number = (await store.numberBanks([bank])).get(bank)!;
        await connections.transaction(async (client) => {
          await putBatch(client, { bank, number }, space, batch);
          if (nearest) await feedNearest(client, number, space, batch.rows);
        });
      }),
    blanks: (bank, space, limit) =>
      writing(async () => {
        const number = await store.bankNumber(bank);
        if (number === undefined || !(await isMade(space))) return [];
        const rows = await connections.run<{ doc: number }>({
          text: `SELECT doc FROM ${namesOf(space).table} WHERE bank = $1 AND sealed IS NULL ORDER BY doc LIMIT $2`,
          values: [number, limit],
        });
        return rows.map(({ doc }) => doc);
      }),
    behind: (space, limit) =>
      writing(async () => {
        const { name, table } = namesOf(space);
        const blanks = (await isMade(space))
          ? `(SELECT count(*) FROM ${table} AS v WHERE v.bank = n.bank AND v.sealed IS NULL)`
          : '0';
        return connections.run<BankBehind>({
          text: `SELECT * FROM (
              SELECT b.id AS bank, n.docs, coalesce(m.mark, 0) AS mark, ${blanks} AS blanks
              FROM hindsight.hl_generations AS g JOIN hindsight.hl_numbers AS n USING (projection, generation)
                JOIN hindsight.hl_banks AS b ON b.number = n.bank
                LEFT JOIN hindsight.hl_vector_marks AS m ON m.bank = n.bank AND m.space = $1
              WHERE g.projection = $2 AND g.active) AS held
            WHERE docs > mark OR blanks > 0 ORDER BY bank LIMIT $3`,
          values: [name, versionsShape.name, limit],
        });
      }),
  };
}

async function makeSpace(client: pg.ClientBase, space: VectorSpace): Promise<void> {
  const { name } = namesOf(space);
  await client.query(`SELECT pg_advisory_xact_lock(hashtext('${name}'))`);
  const { rowCount } = await client.query('SELECT FROM hindsight.hl_vector_spaces WHERE name = $1', [name]);
  if (rowCount) return;
  for (const statement of createSpace(space)) await client.query(statement);
  await client.query('INSERT INTO hindsight.hl_vector_spaces (name, model, dimensions) VALUES ($1, $2, $3)', [
    name,
    space.model,
    space.dimensions,
  ]);
}

async function dropSpace(client: pg.ClientBase, space: VectorSpace): Promise<void> {
  const { name, table } = namesOf(space);
  // The row first, as whoever puts vectors takes it: in the other order both might wait for each other.
  await client.query('DELETE FROM hindsight.hl_vector_spaces WHERE name = $1', [name]);
  await client.query('DELETE FROM hindsight.hl_vector_marks WHERE space = $1', [name]);
  await client.query(`DROP TABLE IF EXISTS ${table}`);
  await dropNearest(client, nearestNamesOf(space));
}

async function putBatch(
  client: pg.ClientBase,
  { bank, number }: { readonly bank: string; readonly number: number },
  space: VectorSpace,
  { from, rows, gone = [], mark }: VectorBatch,
): Promise<void> {
  const { name, table } = namesOf(space);
  // A share of the row: nobody drops the space meanwhile.
  const made = await client.query('SELECT FROM hindsight.hl_vector_spaces WHERE name = $1 FOR SHARE', [name]);
  if (made.rowCount === 0) throw moved(bank, 'the space was removed');
  await client.query(
    'INSERT INTO hindsight.hl_vector_banks (bank, changes, blanked) VALUES ($1, 0, 0) ON CONFLICT DO NOTHING',
    [number],
  );
  const { rows: counted } = await client.query<{ changes: number }>(
    'SELECT changes FROM hindsight.hl_vector_banks WHERE bank = $1 FOR UPDATE',
    [number],
  );
  const { rows: marked } = await client.query<{ mark: number }>(
    'SELECT mark FROM hindsight.hl_vector_marks WHERE space = $1 AND bank = $2',
    [name, number],
  );
  const { changes } = counted[0]!;
  if (changes !== from.changes) throw moved(bank, 'something of it was purged or made anew');
  if ((marked[0]?.mark ?? 0) !== from.mark) throw moved(bank, 'another process was faster');
  const isAnew = rows.some(({ doc }) => doc < from.mark);
  if (isAnew)
    await client.query('UPDATE hindsight.hl_vector_banks SET changes = changes + 1 WHERE bank = $1', [number]);
  if (rows.length > 0)
    await client.query(
      `INSERT INTO ${table} (bank, doc, before, changed, sealed)
        SELECT $1, doc, before, changed, decode(sealed, 'hex')
        FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::text[]) AS given (doc, before, changed, sealed)
        ON CONFLICT (bank, doc) DO UPDATE SET before = excluded.before, changed = excluded.changed, sealed = excluded.sealed`,
      [
        number,
        rows.map(({ doc }) => doc),
        rows.map(({ before }) => before ?? null),
        rows.map(({ doc }) => (doc < from.mark ? changes + 1 : 0)),
        rows.map(({ sealed }) => Buffer.from(sealed).toString('hex')),
      ],
    );
  if (gone.length > 0)
    await client.query(`DELETE FROM ${table} WHERE bank = $1 AND doc = ANY($2::bigint[])`, [number, gone]);
  await client.query(
    'INSERT INTO hindsight.hl_vector_marks AS held (space, bank, mark) VALUES ($1, $2, $3) ' +
      'ON CONFLICT (space, bank) DO UPDATE SET mark = greatest(held.mark, excluded.mark)',
    [name, number, mark],
  );
}

function moved(bank: string, why: string): HindsightError {
  return new HindsightError('checkpoint_moved', `The vectors of bank ${bank} are not where they were: ${why}.`, {
    bank,
  });
}
