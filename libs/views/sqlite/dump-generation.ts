import { setImmediate as breathe } from 'node:timers/promises';
import { openDatabase, type SqliteDatabase } from '#sqlite/open-database.js';
import type { Row, Table } from '../table.js';
import type { Checkpoint, DumpedRow, GenerationId } from '../views.js';
import { readCell } from './cells.js';
import { tableName } from './schema.js';
import type { Store } from './store.js';

/** Rows between two pauses for the event loop: some milliseconds. */
const stride = 1000;

/** Reads a generation on a connection of its own, in one read transaction, so that it is of one moment. */
export function dumpGeneration(
  store: Store,
  id: GenerationId,
  tables: readonly Table[],
): { checkpoints: readonly Checkpoint[]; rows: AsyncIterable<DumpedRow> } {
  const db = openDatabase(store.file.path, { synchronous: 'NORMAL', readOnly: true });
  db.exec('BEGIN');
  const record = db
    .prepare('SELECT position, system_time FROM hl_generations WHERE projection = ? AND generation = ?')
    .get(id.projection, id.generation) as { position: string | null; system_time: string } | undefined;
  return {
    checkpoints: [{ position: record?.position ?? undefined, systemTime: record?.system_time ?? '' }],
    rows: rowsOf(db, store, id.generation, tables),
  };
}

async function* rowsOf(
  db: SqliteDatabase,
  store: Store,
  generation: number,
  tables: readonly Table[],
): AsyncGenerator<DumpedRow> {
  try {
    // In the order of their ids: their numbers are those of this file only.
    const banks = db.prepare('SELECT number, id FROM hl_banks ORDER BY id').all() as { number: number; id: string }[];
    let read = 0;
    for (const table of tables) {
      const columns = Object.entries(table.columns);
      const order = table.key.filter((column) => column !== 'bank').join(', ');
      const select = db.prepare(
        `SELECT ${Object.keys(table.columns).join(', ')} FROM ${tableName(table, generation)} WHERE bank = ? ORDER BY ${order}`,
      );
      for (const { number } of banks) {
        for (const found of select.iterate(number) as Iterable<Record<string, string | number | Uint8Array | null>>) {
          const row: Record<string, Row[string]> = {};
          for (const [column, type] of columns) row[column] = readCell(type, found[column] ?? null, store);
          yield { table, row };
          if (++read % stride === 0) await breathe();
        }
      }
    }
  } finally {
    db.close();
  }
}
