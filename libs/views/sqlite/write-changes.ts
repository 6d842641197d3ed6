import { HindsightError } from '#contract/errors.js';
import type { Table } from '../table.js';
import type { AppendedPieces, GenerationChange, GenerationId, TableChange } from '../views.js';
import { storedValue } from './cells.js';
import { purgeBanks, purgeMemories } from './purge.js';
import { tableName } from './schema.js';
import type { Store } from './store.js';
import { writeRows } from './write-rows.js';

/** Inside a transaction. @throws HindsightError checkpoint_moved */
export function writeChanges(store: Store, changes: readonly GenerationChange[]): void {
  for (const change of changes) moveCheckpoint(store, change);
  for (const { id, numbers, tables, setAside, purges } of changes) {
    if (purges) purgeBanks(store, id, purges);
    for (const each of tables) writeTable(store, id.generation, each);
    if (purges) purgeMemories(store, id, purges);
    writeNumbers(store, id, numbers);
    const insert = store.file.db.prepare(
      'INSERT OR IGNORE INTO hl_dead_letters (projection, generation, position, stream, event_id, type, reason, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    );
    for (const { position, stream, eventId, type, reason, at } of setAside)
      insert.run(id.projection, id.generation, position, stream, eventId, type, reason, at);
  }
}

function moveCheckpoint({ file: { db } }: Store, { id, from, to }: GenerationChange): void {
  const { changes } = db
    .prepare(
      'UPDATE hl_generations SET position = ?, system_time = ? WHERE projection = ? AND generation = ? AND position IS ?',
    )
    .run(to.position ?? null, to.systemTime, id.projection, id.generation, from ?? null);
  if (Number(changes) === 1) return;
  throw new HindsightError(
    'checkpoint_moved',
    `The checkpoint of ${id.projection} (generation ${id.generation}) is no longer at ${from ?? 'the beginning'}: another process projected first.`,
    { ...id, from },
  );
}

function writeTable(store: Store, generation: number, { table, added, changed, appended }: TableChange): void {
  const name = tableName(table, generation);
  const insert = (columns: string, values: string) => `INSERT INTO ${name} (${columns}) VALUES ${values}`;
  writeRows(store, table, added, insert);
  writeRows(store, table, changed, (columns, values) => `${insert(columns, values)} ${orUpdate(table)}`);
  for (const each of appended) appendPieces(store, table, generation, each);
}

function writeNumbers(store: Store, id: GenerationId, numbers: GenerationChange['numbers']): void {
  const upsert = store.file.db.prepare(
    'INSERT INTO hl_numbers (projection, generation, bank, seq, docs) VALUES (?, ?, ?, ?, ?) ' +
      'ON CONFLICT (projection, generation, bank) DO UPDATE SET seq = excluded.seq, docs = excluded.docs',
  );
  for (const [bank, { seq, docs }] of numbers)
    upsert.run(id.projection, id.generation, store.numberBank(bank), seq, docs);
}

function orUpdate(table: Table): string {
  const rest = Object.keys(table.columns).filter((column) => !table.key.includes(column));
  const update = rest.length
    ? `UPDATE SET ${rest.map((column) => `${column} = excluded.${column}`).join(', ')}`
    : 'NOTHING';
  return `ON CONFLICT (${table.key.join(', ')}) DO ${update}`;
}

/**
 * All pieces as one JSON text: SQLite takes it apart, sorts it into the order of its tree and turns hex into bytes for half
 * of what binding them row by row costs. `||` keeps the bytes of two blobs and only calls them text, so it is cast back.
 */
function appendPieces(store: Store, table: Table, generation: number, { shared, pieces }: AppendedPieces): void {
  const { blob, by } = table.appended!;
  const name = tableName(table, generation);
  const others = table.key.filter((column) => column !== by);
  const sql =
    `INSERT INTO ${name} (${[...others, by, blob].join(', ')}) ` +
    `SELECT ${others.map(() => '?, ').join('')}unhex(key), unhex(value) FROM json_each(?) WHERE true ORDER BY key ` +
    `ON CONFLICT (${table.key.join(', ')}) DO UPDATE SET ${blob} = CAST(${name}.${blob} || excluded.${blob} AS BLOB)`;
  const values = others.map((column) => storedValue(table.columns[column]!, shared[column] ?? null, store));
  store.file.db.prepare(sql).run(...values, jsonOf(pieces));
}

/** Hex needs no escapes. */
function jsonOf(pieces: ReadonlyMap<string, string>): string {
  const parts: string[] = [];
  for (const [key, piece] of pieces) parts.push(parts.length ? '","' : '{"', key, '":"', piece);
  parts.push('"}');
  return parts.join('');
}
