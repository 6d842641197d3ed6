import { HindsightError } from '#contract/errors.js';
import type { Table } from '../table.js';
import type { GenerationChange, GenerationId, TableChange } from '../views.js';
import { rowEncoder } from './cells.js';
import { tableName } from './schema.js';
import type { Store } from './store.js';

/** Inside a transaction. @throws HindsightError checkpoint_moved */
export function writeChanges(store: Store, changes: readonly GenerationChange[]): void {
  for (const change of changes) moveCheckpoint(store, change);
  for (const { id, numbers, tables, setAside } of changes) {
    for (const each of tables) writeTable(store, id.generation, each);
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
  const encode = rowEncoder(table, store);
  if (added.length) {
    const insert = store.file.db.prepare(insertSql(table, generation));
    for (const row of added) insert.run(...encode(row));
  }
  if (changed.length) {
    const upsert = store.file.db.prepare(upsertSql(table, generation));
    for (const row of changed) upsert.run(...encode(row));
  }
  if (appended.length) {
    const append = store.file.db.prepare(appendSql(table, generation));
    for (const row of appended) append.run(...encode(row));
  }
}

function writeNumbers(store: Store, id: GenerationId, numbers: GenerationChange['numbers']): void {
  const upsert = store.file.db.prepare(
    'INSERT INTO hl_numbers (projection, generation, bank, seq, docs) VALUES (?, ?, ?, ?, ?) ' +
      'ON CONFLICT (projection, generation, bank) DO UPDATE SET seq = excluded.seq, docs = excluded.docs',
  );
  for (const [bank, { seq, docs }] of numbers)
    upsert.run(id.projection, id.generation, store.numberBank(bank), seq, docs);
}

function insertSql(table: Table, generation: number): string {
  const columns = Object.keys(table.columns);
  return `INSERT INTO ${tableName(table, generation)} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
}

function upsertSql(table: Table, generation: number): string {
  const rest = Object.keys(table.columns).filter((column) => !table.key.includes(column));
  const update = rest.length
    ? `UPDATE SET ${rest.map((column) => `${column} = excluded.${column}`).join(', ')}`
    : 'NOTHING';
  return `${insertSql(table, generation)} ON CONFLICT (${table.key.join(', ')}) DO ${update}`;
}

/** `||` keeps the bytes of two blobs as they are and only calls them text: the cast calls them a blob again. */
function appendSql(table: Table, generation: number): string {
  const name = tableName(table, generation);
  const blob = table.appended!;
  return `${insertSql(table, generation)} ON CONFLICT (${table.key.join(', ')}) DO UPDATE SET ${blob} = CAST(${name}.${blob} || excluded.${blob} AS BLOB)`;
}
