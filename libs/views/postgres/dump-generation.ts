import type pg from 'pg';
import type { Cell, Table } from '../table.js';
import type { Checkpoint, DumpedRow, GenerationId } from '../views.js';
import { readCell, type SqlValue } from './cells.js';
import { qualified } from './schema.js';
import { generationGone, type PostgresStore } from './store.js';
import { isMissing, toHindsightError } from './trouble.js';

/** Rows per round trip. */
const stride = 2_000;

/** Reads a generation on a connection of its own, in one snapshot, so that it is of one moment. @throws HindsightError checkpoint_moved */
export async function dumpGeneration(
  store: PostgresStore,
  id: GenerationId,
  tables: readonly Table[],
): Promise<{ checkpoints: readonly Checkpoint[]; rows: AsyncIterable<DumpedRow> }> {
  const client = await store.connections.own();
  try {
    // Whoever takes the rows may pause; one who never takes them does not keep the snapshot for ever.
    await client.query(
      `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL idle_in_transaction_session_timeout = '10min'`,
    );
    const { rows } = await client.query<{ position: string | null; system_time: string }>(
      'SELECT position, system_time FROM hindsight.hl_checkpoints WHERE projection = $1 AND generation = $2 ORDER BY partition',
      [id.projection, id.generation],
    );
    if (rows.length === 0) throw generationGone(id);
    return {
      checkpoints: rows.map(({ position, system_time }) => ({
        position: position ?? undefined,
        systemTime: system_time,
      })),
      rows: rowsOf(client, store, id, tables),
    };
  } catch (error) {
    await client.end();
    throw toHindsightError(error, store.connections.place);
  }
}

async function* rowsOf(
  client: pg.Client,
  store: PostgresStore,
  id: GenerationId,
  tables: readonly Table[],
): AsyncGenerator<DumpedRow> {
  try {
    for (const table of tables) {
      const columns = Object.entries(table.columns);
      await client.query(`DECLARE dumped NO SCROLL CURSOR FOR ${selectAll(table, id.generation)}`);
      const fetch = () =>
        client.query<SqlValue[]>({ text: `FETCH ${stride} FROM dumped`, rowMode: 'array' } as pg.QueryArrayConfig);
      let next = fetch();
      for (let more = true; more; ) {
        const { rows } = await next;
        more = rows.length === stride;
        // The server looks for the next ones meanwhile.
        if (more) next = fetch();
        for (const found of rows) {
          const row: Record<string, Cell> = {};
          for (let index = 0; index < columns.length; index++) {
            const [column, type] = columns[index]!;
            row[column] = readCell(type, found[index]!);
          }
          yield { table, row };
        }
      }
      await client.query('CLOSE dumped');
    }
  } catch (error) {
    throw isMissing(error) ? generationGone(id) : toHindsightError(error, store.connections.place);
  } finally {
    await client.end();
  }
}

/** Banks in the order of their ids: their numbers are those of this database only. */
function selectAll(table: Table, generation: number): string {
  const columns = Object.entries(table.columns).map(([column, type]) =>
    type === 'bank' ? 'banks.id' : `held.${column}`,
  );
  const order = table.key.map((column) => (table.columns[column] === 'bank' ? 'banks.id' : `held.${column}`));
  return (
    `SELECT ${columns.join(', ')} FROM ${qualified(table, generation)} AS held ` +
    `JOIN hindsight.hl_banks AS banks ON banks.number = held.bank ORDER BY ${order.join(', ')}`
  );
}
