import { createHash } from 'node:crypto';
import type pg from 'pg';
import { HindsightError } from '#contract/errors.js';
import type { Row, Table } from '../table.js';
import type { GenerationChange, GenerationId, TableChange } from '../views.js';
import { cellsLiteral, columnLiteral, givenValue, type Numbers, unnested } from './array-literal.js';
import { encodeText } from './cells.js';
import { type CopiedRows, copyOf, copyRows } from './copy-rows.js';
import { purgeBanks, purgeMemories, stampPurges } from './purge.js';
import { qualified } from './schema.js';
import type { PostgresStore } from './store.js';

/**
 * Does not wait for the disk: rows and checkpoint are in one transaction, so a crash of the server takes both back by the same
 * moments, and the projector, which looks at the checkpoint first, projects them again.
 */
const begin = 'BEGIN; SET LOCAL synchronous_commit TO off';

/**
 * From so many rows of a table on they are copied: 10,000 versions, 2,000 at a time, cost the server 80 ms by COPY and 120 by INSERT, and
 * this process 97 and 166. Of fewer its two round trips weigh as much.
 */
const copyFrom = 256;

/** All of it in one transaction. @throws HindsightError checkpoint_moved · disk_full · unreachable · ledger_busy */
export async function writeChanges(store: PostgresStore, changes: readonly GenerationChange[]): Promise<void> {
  if (changes.length === 0) return;
  const numbers = await store.numberBanks(banksOf(changes));
  await store.connections.transaction(async (client) => {
    await lockCheckpoints(client, changes);
    for (const change of changes) await purgeBanks(client, change, numbers);
    for (const rows of copiesOf(changes, numbers)) await copyRows(client, rows);
    await client.query(inOne([...writesOf(changes, numbers)], movingCheckpoints(changes)));
    for (const change of changes) await purgeMemories(client, change, numbers);
    // Last, since commits of other partitions wait for it.
    await stampPurges(client, changes);
  }, begin);
}

function* copiesOf(changes: readonly GenerationChange[], numbers: Numbers): Generator<CopiedRows> {
  for (const { id, tables } of together(changes))
    for (const { table, added } of tables)
      if (added.length >= copyFrom) yield copyOf(table, qualified(table, id.generation), added, numbers);
}

interface Write {
  readonly text: string;
  readonly values: readonly unknown[];
}

function* writesOf(changes: readonly GenerationChange[], numbers: Numbers): Generator<Write> {
  for (const { id, tables } of together(changes))
    for (const { table, added, changed, appended } of tables) {
      const name = qualified(table, id.generation);
      if (added.length && added.length < copyFrom) yield adding(table, name, added, numbers);
      if (changed.length) yield changing(table, name, changed, numbers);
      if (appended.length) yield appending(table, name, appended, numbers);
    }
  yield* writingNumbers(changes, numbers);
  yield* keepingLetters(changes);
}

/**
 * One statement for all: the server goes from one table to the next without waiting for this process, which is opening the next
 * events meanwhile. No two of them touch the same row. It is prepared once for each set of tables.
 */
function inOne(writes: readonly Write[], last: Write): pg.QueryConfig {
  let before = 0;
  const numbered = ({ text, values }: Write): string => {
    const first = before;
    before += values.length;
    return text.replace(/\$(\d+)/g, (_, number: string) => `$${first + Number(number)}`);
  };
  const parts = writes.map((write, index) => `written_${index} AS (${numbered(write)})`);
  const text = `${parts.length ? `WITH ${parts.join(', ')} ` : ''}${numbered(last)}`;
  const name = `write ${createHash('sha256').update(text).digest('base64url').slice(0, 32)}`;
  return { name, text, values: [...writes, last].flatMap(({ values }) => values) };
}

function banksOf(changes: readonly GenerationChange[]): Set<string> {
  const banks = new Set<string>();
  for (const { numbers, tables, purges } of changes) {
    for (const bank of purges?.banks ?? []) banks.add(bank);
    for (const { bank } of purges?.memories ?? []) banks.add(bank);
    for (const bank of numbers.keys()) banks.add(bank);
    for (const { added, changed, appended } of tables) {
      for (const row of added) banks.add(row.bank as string);
      for (const row of changed) banks.add(row.bank as string);
      for (const { shared } of appended) banks.add(shared.bank as string);
    }
  }
  return banks;
}

/**
 * In one order for everybody: who holds a checkpoint is the only one to write that partition's rows, so no two commits ever wait for
 * each other in a circle, whatever projections and partitions they are of.
 */
async function lockCheckpoints(client: pg.ClientBase, changes: readonly GenerationChange[]): Promise<void> {
  const { rows } = await client.query<[string, number, number, string | null]>({
    name: 'lock checkpoints',
    text:
      'SELECT held.projection, held.generation, held.partition, held.position FROM hindsight.hl_checkpoints AS held ' +
      'JOIN unnest($1::text[], $2::integer[], $3::integer[]) AS given (projection, generation, partition) USING (projection, generation, partition) ' +
      'ORDER BY held.projection, held.generation, held.partition FOR NO KEY UPDATE OF held',
    values: keysOf(changes),
    rowMode: 'array',
  } as pg.QueryConfig);
  const found = new Map(
    rows.map(([projection, generation, partition, at]) => [`${projection} ${generation} ${partition}`, at]),
  );
  for (const { id, partition, from } of changes) {
    const at = found.get(`${id.projection} ${id.generation} ${partition}`);
    if (at !== undefined && (at ?? undefined) === from) continue;
    throw new HindsightError(
      'checkpoint_moved',
      `The checkpoint of ${id.projection} (generation ${id.generation}, partition ${partition}) is no longer at ${from ?? 'the beginning'}: another process projected first.`,
      { ...id, partition, from },
    );
  }
}

function movingCheckpoints(changes: readonly GenerationChange[]): Write {
  return {
    text:
      'UPDATE hindsight.hl_checkpoints AS held SET position = given.position, system_time = given.system_time ' +
      'FROM unnest($1::text[], $2::integer[], $3::integer[], $4::text[], $5::text[]) AS given (projection, generation, partition, position, system_time) ' +
      'WHERE held.projection = given.projection AND held.generation = given.generation AND held.partition = given.partition',
    values: [...keysOf(changes), changes.map(({ to }) => to.position ?? null), changes.map(({ to }) => to.systemTime)],
  };
}

function keysOf(changes: readonly GenerationChange[]): unknown[] {
  return [
    changes.map(({ id }) => id.projection),
    changes.map(({ id }) => id.generation),
    changes.map(({ partition }) => partition),
  ];
}

/** The partitions of a generation write to the same tables: their rows go in one statement. */
function together(changes: readonly GenerationChange[]): { id: GenerationId; tables: TableChange[] }[] {
  const generations = new Map<string, { id: GenerationId; tables: Map<Table, TableChange[]> }>();
  for (const { id, tables } of changes) {
    const key = `${id.projection} ${id.generation}`;
    let generation = generations.get(key);
    if (!generation) {
      generation = { id, tables: new Map() };
      generations.set(key, generation);
    }
    for (const each of tables) {
      const same = generation.tables.get(each.table);
      if (same) same.push(each);
      else generation.tables.set(each.table, [each]);
    }
  }
  return [...generations.values()].map(({ id, tables }) => ({ id, tables: [...tables.values()].map(joined) }));
}

function joined(changes: readonly TableChange[]): TableChange {
  if (changes.length === 1) return changes[0]!;
  return {
    table: changes[0]!.table,
    added: changes.flatMap(({ added }) => added),
    changed: changes.flatMap(({ changed }) => changed),
    appended: changes.flatMap(({ appended }) => appended),
  };
}

function adding(table: Table, name: string, rows: readonly Row[], numbers: Numbers): Write {
  const columns = Object.keys(table.columns);
  return {
    text: insertSql(table, name, columns),
    values: columns.map((column) => columnLiteral(table, column, rows, numbers)),
  };
}

function changing(table: Table, name: string, rows: readonly Row[], numbers: Numbers): Write {
  const { text, values } = adding(table, name, rows, numbers);
  const rest = Object.keys(table.columns).filter((column) => !table.key.includes(column));
  const update = rest.length
    ? `UPDATE SET ${rest.map((column) => `${column} = excluded.${column}`).join(', ')}`
    : 'NOTHING';
  return { text: `${text} ON CONFLICT (${table.key.join(', ')}) DO ${update}`, values };
}

function insertSql(table: Table, name: string, columns: readonly string[]): string {
  return (
    `INSERT INTO ${name} AS held (${columns.join(', ')}) SELECT ${columns.map((column) => givenValue(table, column)).join(', ')} ` +
    `FROM ${unnested(table, columns)} AS given (${columns.join(', ')})`
  );
}

/** In the order of the key: neighbours in its tree are written one after the other. */
function appending(table: Table, name: string, appended: TableChange['appended'], numbers: Numbers): Write {
  const { blob, by } = table.appended!;
  const others = table.key.filter((column) => column !== by);
  const columns = [...others, by, blob];
  const values = others.map((column) =>
    cellsLiteral(
      table.columns[column]!,
      appended.flatMap(({ shared, pieces }) => new Array(pieces.size).fill(shared[column] ?? null)),
      numbers,
    ),
  );
  // Hex needs neither quotes nor escapes.
  values.push(`{${appended.map(({ pieces }) => [...pieces.keys()].join(',')).join(',')}}`);
  values.push(`{${appended.map(({ pieces }) => [...pieces.values()].join(',')).join(',')}}`);
  const text =
    `${insertSql(table, name, columns)} ORDER BY ${table.key.map((column) => `given.${column}`).join(', ')} ` +
    `ON CONFLICT (${table.key.join(', ')}) DO UPDATE SET ${blob} = held.${blob} || excluded.${blob}`;
  return { text, values };
}

function* writingNumbers(changes: readonly GenerationChange[], known: Numbers): Generator<Write> {
  const rows = changes.flatMap(({ id, numbers }) =>
    [...numbers].map(([bank, { seq, docs }]) => [id.projection, id.generation, known.get(bank)!, seq, docs]),
  );
  if (rows.length === 0) return;
  yield {
    text:
      'INSERT INTO hindsight.hl_numbers (projection, generation, bank, seq, docs) ' +
      'SELECT * FROM unnest($1::text[], $2::integer[], $3::integer[], $4::bigint[], $5::bigint[]) ' +
      'ON CONFLICT (projection, generation, bank) DO UPDATE SET seq = excluded.seq, docs = excluded.docs',
    values: columnsOf(rows, 5),
  };
}

function* keepingLetters(changes: readonly GenerationChange[]): Generator<Write> {
  const rows = changes.flatMap(({ id, setAside }) =>
    setAside.map(({ position, stream, eventId, type, reason, at }) => [
      id.projection,
      id.generation,
      ...[position, stream, eventId, type, reason, at].map(encodeText),
    ]),
  );
  if (rows.length === 0) return;
  yield {
    text:
      'INSERT INTO hindsight.hl_dead_letters (projection, generation, position, stream, event_id, type, reason, at) ' +
      'SELECT * FROM unnest($1::text[], $2::integer[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[]) ON CONFLICT DO NOTHING',
    values: columnsOf(rows, 8),
  };
}

function columnsOf(rows: readonly (readonly unknown[])[], width: number): unknown[][] {
  return Array.from({ length: width }, (_, column) => rows.map((row) => row[column]));
}
