import type pg from 'pg';
import { versionsTable } from '../../tables/versions.js';
import type { GenerationChange } from '../../views.js';
import type { Numbers } from '../array-literal.js';
import { encodeText } from '../cells.js';
import { qualified, schemaName } from '../schema.js';
import { type NumberedDoc, nearestTables, purgeNearest } from './nearest-feed.js';

/** All vectors of banks that ended. In the transaction. */
export async function purgeVectorsOfBanks(
  client: pg.ClientBase,
  { purges }: GenerationChange,
  numbers: Numbers,
): Promise<void> {
  if (!purges?.banks.length) return;
  const banks = purges.banks.map((bank) => numbers.get(bank)!);
  await countChanges(client, banks);
  const nearest = (await nearestTables(client)).map((name) => `${schemaName}.${name}`);
  for (const table of [...(await spaceTables(client)), ...nearest, `${schemaName}.hl_vector_marks`])
    await client.query(`DELETE FROM ${table} WHERE bank = ANY($1::integer[])`, [banks]);
}

/**
 * The vectors of memories in all spaces; those whose window held one of their docs are blanked. In the transaction, in whatever generation of
 * the versions, for the docs are the same in each. It counts as a change also where nothing goes: a text may have been opened already.
 */
export async function purgeVectors(
  client: pg.ClientBase,
  { id, purges }: GenerationChange,
  numbers: Numbers,
): Promise<void> {
  if (!purges?.memories.length) return;
  const { memories } = purges;
  await countChanges(
    client,
    memories.map(({ bank }) => numbers.get(bank)!),
  );
  const { rows: docs } = await client.query<{ bank: number; doc: number }>(
    `SELECT held.bank, held.doc FROM ${qualified(versionsTable, id.generation)} AS held ` +
      'JOIN unnest($1::integer[], $2::text[], $3::bigint[]) AS gone (bank, memory_id, until) ' +
      'ON gone.bank = held.bank AND gone.memory_id COLLATE "C" = held.memory_id AND held.doc < gone.until',
    [
      memories.map(({ bank }) => numbers.get(bank)!),
      memories.map(({ memoryId }) => encodeText(memoryId)),
      memories.map(({ doc }) => doc),
    ],
  );
  if (docs.length === 0) return;
  const those = 'unnest($1::integer[], $2::bigint[]) AS gone (bank, doc) WHERE held.bank = gone.bank';
  const values = [docs.map(({ bank }) => bank), docs.map(({ doc }) => doc)];
  const blanked: NumberedDoc[] = [];
  for (const table of await spaceTables(client)) {
    await client.query(`DELETE FROM ${table} AS held USING ${those} AND held.doc = gone.doc`, values);
    const { rows } = await client.query<NumberedDoc>(
      `WITH blanked AS (
        UPDATE ${table} AS held SET sealed = NULL, before = NULL,
          changed = (SELECT changes FROM hindsight.hl_vector_banks AS counted WHERE counted.bank = held.bank)
        FROM ${those} AND held.before = gone.doc RETURNING held.bank, held.doc), counted AS (
        UPDATE hindsight.hl_vector_banks AS counted SET blanked = changes FROM (SELECT DISTINCT bank FROM blanked) AS of WHERE of.bank = counted.bank)
      SELECT bank, doc FROM blanked`,
      values,
    );
    blanked.push(...rows);
  }
  await purgeNearest(client, [...docs, ...blanked]);
}

/** In a transaction, where docs may be numbered otherwise than before. */
export async function clearVectors(run: (statement: string) => Promise<unknown[]>): Promise<void> {
  await run(
    'INSERT INTO hindsight.hl_vector_banks AS counted (bank, changes, blanked) SELECT number, 1, 0 FROM hindsight.hl_banks ORDER BY number ' +
      'ON CONFLICT (bank) DO UPDATE SET changes = counted.changes + 1',
  );
  await run('DELETE FROM hindsight.hl_vector_marks');
  const spaces = (await run('SELECT name FROM hindsight.hl_vector_spaces ORDER BY name')) as { name: string }[];
  const nearest = (await run('SELECT name FROM hindsight.hl_nearest_spaces ORDER BY name')) as { name: string }[];
  for (const { name } of [...spaces, ...nearest]) await run(`DELETE FROM ${schemaName}.${name}`);
}

/** Who puts vectors of a bank waits for this row. In one order for everybody, so that no two wait for each other. */
async function countChanges(client: pg.ClientBase, banks: readonly number[]): Promise<void> {
  await client.query(
    'INSERT INTO hindsight.hl_vector_banks AS counted (bank, changes, blanked) ' +
      'SELECT bank, 1, 0 FROM (SELECT DISTINCT unnest($1::integer[]) AS bank) AS given ORDER BY bank ' +
      'ON CONFLICT (bank) DO UPDATE SET changes = counted.changes + 1',
    [banks],
  );
}

/** As statements name them. Names are made of hex and digits. */
async function spaceTables(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('SELECT name FROM hindsight.hl_vector_spaces ORDER BY name');
  return rows.map(({ name }) => `${schemaName}.${name}`);
}
