import type pg from 'pg';
import { isPurging } from '../purge.js';
import type { Row, Table } from '../table.js';
import type { BankNumbers, DeadLetter, GenerationChange, GenerationId } from '../views.js';
import type { Numbers } from './array-literal.js';
import { columnsOf, copyBytes, rowsToCopy } from './copy-rows.js';
import { type PiecesInWait, piecesInWait } from './pieces-in-wait.js';
import { piecesName, qualified, schemaName } from './schema.js';

/** A checkpoint on its way. */
export type Move = Pick<GenerationChange, 'id' | 'partition' | 'from' | 'to'>;
/** Numbers and dead letters of a generation. */
export type Noted = Pick<GenerationChange, 'id' | 'numbers' | 'setAside'>;

/**
 * What commits to a bare generation (bare.ts) came to, one after the other: rows as they are copied, pieces put together, and of each checkpoint where it
 * was and where it is to be.
 */
export interface Gathered extends Noted {
  readonly moves: readonly Move[];
  /** Rows of which none can be there, and such as most likely are not, in COPY's text form. */
  readonly added: ReadonlyMap<Table, readonly Buffer[]>;
  readonly unseen: ReadonlyMap<Table, readonly Buffer[]>;
  /** Rows that take the place of others, by key. */
  readonly changed: ReadonlyMap<Table, ReadonlyMap<string, Row>>;
  readonly appended: ReadonlyMap<Table, PiecesInWait>;
  readonly purging: readonly GenerationChange[];
  /** Bytes of rows, and pieces. */
  readonly weight: { readonly bytes: number; readonly pieces: number };
}

export interface Gathering {
  add(change: GenerationChange, numbers: Numbers): void;
  readonly all: Gathered;
}

/** One for each generation, in the order in which they come. */
export function gatherAll(changes: readonly GenerationChange[], numbers: Numbers): Gathered[] {
  const found = new Map<string, Gathering>();
  for (const change of changes) {
    const key = `${change.id.projection} ${change.id.generation}`;
    let gathering = found.get(key);
    if (!gathering) {
      gathering = gather(change.id);
      found.set(key, gathering);
    }
    gathering.add(change, numbers);
  }
  return [...found.values()].map(({ all }) => all);
}

/** What a row that may change again counts as, in bytes. */
const rowWeight = 200;

export function gather(id: GenerationId): Gathering {
  const moves = new Map<number, Move>();
  const numbers = new Map<string, BankNumbers>();
  const setAside: DeadLetter[] = [];
  const added = new Map<Table, Buffer[]>();
  const unseen = new Map<Table, Buffer[]>();
  const changed = new Map<Table, Map<string, Row>>();
  const appended = new Map<Table, PiecesInWait>();
  const purging: GenerationChange[] = [];
  const weight = { bytes: 0, pieces: 0 };

  /** Bytes, not strings: they lie where collecting garbage does not go. */
  function copied(into: Map<Table, Buffer[]>, table: Table, rows: Iterable<Row>, known: Numbers): void {
    const texts = of(into, table, () => []);
    for (const text of rowsToCopy(table, rows, known)) {
      const bytes = Buffer.from(text, 'utf8');
      weight.bytes += bytes.length;
      texts.push(bytes);
    }
  }

  return {
    add(change, known) {
      const { partition, from, to } = change;
      moves.set(partition, { id, partition, from: moves.has(partition) ? moves.get(partition)!.from : from, to });
      for (const [bank, each] of change.numbers) numbers.set(bank, each);
      setAside.push(...change.setAside);
      if (isPurging(change)) purging.push(change);
      for (const { table, added: rows, changed: those, unseen: met, appended: pieces } of change.tables) {
        if (rows.length) copied(added, table, rows, known);
        const isNew = (row: Row) => met?.has(row) ?? false;
        if (met?.size) copied(unseen, table, those.filter(isNew), known);
        for (const row of those) {
          if (isNew(row)) continue;
          of(changed, table, () => new Map<string, Row>()).set(keyOf(table, row), row);
          weight.bytes += rowWeight;
        }
        for (const each of pieces) {
          const waiting = of(appended, table, piecesInWait);
          const group = waiting.group(columnsOf(table, sharedOf(table), each.shared, known));
          for (const [by, piece] of each.pieces) waiting.append(group, by, piece);
          weight.pieces += each.pieces.size;
        }
      }
    },
    all: {
      id,
      get moves() {
        return [...moves.values()];
      },
      numbers,
      setAside,
      added,
      unseen,
      changed,
      appended,
      purging,
      weight,
    },
  };
}

function of<T>(found: Map<Table, T>, table: Table, make: () => T): T {
  let one = found.get(table);
  if (one === undefined) {
    one = make();
    found.set(table, one);
  }
  return one;
}

function keyOf(table: Table, row: Row): string {
  let key = '';
  for (const column of table.key) key += `${row[column]}\n`;
  return key;
}

/** The columns that the pieces of a group share. */
function sharedOf(table: Table): string[] {
  return table.key.filter((column) => column !== table.appended!.by);
}

/**
 * Rows and pieces, by COPY. Pieces of a generation that has none yet are the blobs themselves.
 * @param as `replaced`: one of those that were met nowhere is there after all
 */
export async function copyGathered(
  client: pg.ClientBase,
  { id, added, unseen, appended }: Gathered,
  as: 'added' | 'replaced',
): Promise<void> {
  for (const [table, rows] of added)
    await copyBytes(client, qualified(table, id.generation), Object.keys(table.columns), rows);
  for (const [table, rows] of unseen) {
    const name = qualified(table, id.generation);
    if (as === 'added') await copyBytes(client, name, Object.keys(table.columns), rows);
    else await copyOver(client, table, name, rows);
  }
  for (const [table, pieces] of appended) {
    const whole = qualified(table, id.generation);
    const parts = `${schemaName}.${piecesName(table, id.generation)}`;
    const { rows } = await client.query<{ any: boolean }>(
      `SELECT EXISTS (SELECT FROM ${whole}) OR EXISTS (SELECT FROM ${parts}) AS any`,
    );
    const { by, blob } = table.appended!;
    await copyBytes(client, rows[0]!.any ? parts : whole, [...sharedOf(table), by, blob], pieces.rows());
  }
}

/** Puts rows in the place of those with their keys; the last of several with one key. */
async function copyOver(client: pg.ClientBase, table: Table, name: string, rows: Iterable<Buffer>): Promise<void> {
  const columns = Object.keys(table.columns);
  const key = table.key.join(', ');
  const rest = columns.filter((column) => !table.key.includes(column));
  await client.query(
    `CREATE TEMP TABLE hl_copied (part bigint GENERATED BY DEFAULT AS IDENTITY, LIKE ${name}) ON COMMIT DROP`,
  );
  await copyBytes(client, 'hl_copied', columns, rows);
  await client.query(
    `INSERT INTO ${name} (${columns.join(', ')}) SELECT DISTINCT ON (${key}) ${columns.join(', ')} FROM hl_copied ORDER BY ${key}, part DESC ` +
      `ON CONFLICT (${key}) DO ${rest.length ? `UPDATE SET ${rest.map((column) => `${column} = excluded.${column}`).join(', ')}` : 'NOTHING'}`,
  );
  await client.query('DROP TABLE hl_copied');
}
