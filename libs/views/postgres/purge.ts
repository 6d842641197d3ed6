import type pg from 'pg';
import { gonePostings } from '../gone-postings.js';
import { withoutDocs } from '../postings.js';
import { isPurging, type PurgedMemory, type PurgedRows, type PurgeStep } from '../purge.js';
import { versionsShape } from '../tables/versions.js';
import type { GenerationChange } from '../views.js';
import type { Numbers } from './array-literal.js';
import { encodeText } from './cells.js';
import { qualified, schemaName } from './schema.js';
import { purgeVectors, purgeVectorsOfBanks } from './vectors/purge-vectors.js';

/** Blocks of postings that are fetched and written at once: each has some kilobytes. */
const blocksAtOnce = 2_000;

/** Removes all rows of the banks that ended. In the transaction, before rows are written. */
export async function purgeBanks(client: pg.ClientBase, change: GenerationChange, numbers: Numbers): Promise<void> {
  const { id, purges } = change;
  if (!purges?.banks.length) return;
  if (id.projection === versionsShape.name) await purgeVectorsOfBanks(client, change, numbers);
  const { rows } = await client.query<{ tables: string[] }>(
    'SELECT tables FROM hindsight.hl_generations WHERE projection = $1 AND generation = $2',
    [id.projection, id.generation],
  );
  const banks = purges.banks.map((bank) => numbers.get(bank)!);
  for (const name of rows[0]?.tables ?? [])
    await client.query(`DELETE FROM ${schemaName}.${name} WHERE bank = ANY($1::integer[])`, [banks]);
}

/** Carries out the steps for the memories. In the transaction, after rows were written. */
export async function purgeMemories(client: pg.ClientBase, change: GenerationChange, numbers: Numbers): Promise<void> {
  const { id, purges } = change;
  if (!purges?.memories.length) return;
  const { generation } = id;
  const { memories, steps } = purges;
  if (id.projection === versionsShape.name) await purgeVectors(client, change, numbers);
  for (const step of steps) {
    if (step.do === 'unpost') await unpost(client, generation, step, memories, numbers);
    else
      await client.query(sqlOf(step, generation), valuesOf('through' in step ? step.through : step, memories, numbers));
  }
}

/** What was read before is void, where something went out of a generation in use. */
export async function stampPurges(client: pg.ClientBase, changes: readonly GenerationChange[]): Promise<void> {
  const purging = changes.filter(isPurging);
  if (purging.length === 0) return;
  await client.query(
    `UPDATE hindsight.hl_meta SET value = (value::bigint + 1)::text WHERE name = 'stamp' AND EXISTS (
      SELECT FROM hindsight.hl_generations JOIN unnest($1::text[], $2::integer[]) AS purged (projection, generation) USING (projection, generation)
      WHERE active)`,
    [purging.map(({ id }) => id.projection), purging.map(({ id }) => id.generation)],
  );
}

function valuesOf({ until }: PurgedRows, memories: readonly PurgedMemory[], numbers: Numbers): unknown[] {
  return [
    memories.map(({ bank }) => numbers.get(bank)!),
    memories.map(({ memoryId }) => encodeText(memoryId)),
    memories.map((memory) => memory[until.bound]),
  ];
}

/** The rows that are meant, as `held` joined to what is given. */
function meant({ until: { column, bound } }: PurgedRows): string {
  return `gone.bank = held.bank AND gone.memory_id COLLATE "C" = held.memory_id AND held.${column} ${bound === 'seq' ? '<=' : '<'} gone.until`;
}

const given = 'unnest($1::integer[], $2::text[], $3::bigint[]) AS gone (bank, memory_id, until)';

function sqlOf(step: Exclude<PurgeStep, { do: 'unpost' }>, generation: number): string {
  const name = qualified(step.table, generation);
  let from = given;
  let where: string;
  if ('through' in step) {
    const { on, through } = step;
    from = `(SELECT DISTINCT held.bank, held.${on} FROM ${qualified(through.table, generation)} AS held JOIN ${given} ON ${meant(through)}) AS those`;
    where = `held.bank = those.bank AND held.${on} = those.${on}`;
  } else where = meant(step);
  if (step.do === 'remove') return `DELETE FROM ${name} AS held USING ${from} WHERE ${where}`;
  const set = Object.entries(step.set).map(([column, cell]) => `${column} = ${literal(cell)}`);
  return `UPDATE ${name} AS held SET ${set.join(', ')} FROM ${from} WHERE ${where}`;
}

/** What a step sets is written in the code. */
function literal(cell: unknown): string {
  if (cell === null) return 'NULL';
  if (typeof cell === 'number') return String(cell);
  return `'${String(cell).replaceAll("'", "''")}'`;
}

async function unpost(
  client: pg.ClientBase,
  generation: number,
  { postings, terms, docs }: Extract<PurgeStep, { do: 'unpost' }>,
  memories: readonly PurgedMemory[],
  numbers: Numbers,
): Promise<void> {
  const { rows: found } = await client.query<{ bank: number; doc: number; terms: string }>(
    `SELECT DISTINCT held.bank, held.doc, encode(t.terms, 'hex') AS terms FROM ${qualified(docs.table, generation)} AS held ` +
      `JOIN ${given} ON ${meant(docs)} JOIN ${qualified(terms, generation)} AS t ON t.bank = held.bank AND t.doc = held.doc`,
    valuesOf(docs, memories, numbers),
  );
  const gone = gonePostings(found.map(({ bank, doc, terms: of }) => ({ bank: String(bank), doc, terms: of })));
  const name = qualified(postings, generation);
  const key = 'unnest($1::integer[], $2::text[], $3::bigint[])';
  const isThat = `held.bank = gone.bank AND held.term = decode(gone.term, 'hex') AND held.block = gone.block`;
  for (let from = 0; from < gone.length; from += blocksAtOnce) {
    const some = gone.slice(from, from + blocksAtOnce);
    const { rows: blocks } = await client.query<{ at: number; bytes: Buffer }>(
      `SELECT gone.at::integer AS at, held.bytes FROM ${key} WITH ORDINALITY AS gone (bank, term, block, at) JOIN ${name} AS held ON ${isThat}`,
      [some.map(({ bank }) => Number(bank)), some.map(({ term }) => term), some.map(({ block }) => block)],
    );
    const left = blocks.map(({ at, bytes }) => {
      const { bank, term, block, docs: those } = some[at - 1]!;
      return { bank: Number(bank), term, block, bytes: Buffer.from(withoutDocs(block, bytes, those)).toString('hex') };
    });
    const values = (rows: typeof left): unknown[] => [
      rows.map(({ bank }) => bank),
      rows.map(({ term }) => term),
      rows.map(({ block }) => block),
    ];
    const kept = left.filter(({ bytes }) => bytes !== '');
    await client.query(
      `UPDATE ${name} AS held SET bytes = decode(gone.bytes, 'hex') FROM unnest($1::integer[], $2::text[], $3::bigint[], $4::text[]) AS gone (bank, term, block, bytes) WHERE ${isThat}`,
      [...values(kept), kept.map(({ bytes }) => bytes)],
    );
    await client.query(
      `DELETE FROM ${name} AS held USING ${key} AS gone (bank, term, block) WHERE ${isThat}`,
      values(left.filter(({ bytes }) => bytes === '')),
    );
  }
}
