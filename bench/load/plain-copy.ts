import pg from 'pg';
import { from, to } from 'pg-copy-streams';

/** What stands in a table, in COPY's text form. */
export interface CopiedTable {
  readonly name: string;
  readonly lines: readonly Buffer[];
}

/** The tables of the generations in use. */
const inUse = 'SELECT unnest(tables) AS name FROM hindsight.hl_generations WHERE active ORDER BY 1';

export async function tablesInUse(client: pg.Client): Promise<CopiedTable[]> {
  const { rows } = await client.query<{ name: string }>(inUse);
  const tables: CopiedTable[] = [];
  for (const { name } of rows) {
    const lines: Buffer[] = [];
    let rest: Buffer = Buffer.alloc(0);
    for await (const chunk of client.query(to(`COPY hindsight.${name} TO STDOUT`))) {
      rest = Buffer.concat([rest, chunk as Buffer]);
      const whole = splitLines(rest);
      lines.push(...whole.lines);
      rest = whole.rest;
    }
    tables.push({ name: `hindsight.${name}`, lines });
  }
  return tables;
}

/** What they weigh, with what is stored out of line. */
export async function bytesInUse(client: pg.Client): Promise<{ rows: number; indexes: number }> {
  const { rows } = await client.query<{ rows: string; indexes: string }>(
    `SELECT sum(pg_table_size(('hindsight.' || name)::regclass)) AS rows, sum(pg_indexes_size(('hindsight.' || name)::regclass)) AS indexes FROM (${inUse}) AS tables`,
  );
  return { rows: Number(rows[0]!.rows), indexes: Number(rows[0]!.indexes) };
}

/** Lines with their ends, and what is left of one that has none yet. */
export function splitLines(bytes: Buffer): { lines: Buffer[]; rest: Buffer } {
  const lines: Buffer[] = [];
  let begin = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, begin)) {
    lines.push(bytes.subarray(begin, end + 1));
    begin = end + 1;
  }
  return { lines, rest: bytes.subarray(begin) };
}

/** The part of a list that comes in its turn, when it is given out in so many. */
export function share<T>(all: readonly T[], turn: number, turns: number): readonly T[] {
  const at = (which: number) => Math.floor((all.length * which) / turns);
  return all.slice(at(turn), at(turn + 1));
}

/**
 * Seconds that the plain client takes to COPY the same rows into tables of the same form with the same indexes: what projecting would cost
 * if events were rows already. Tables that grow by what is appended to their rows get them as they became in the end.
 * @param turns transactions, each with its share of every table
 */
export async function plainCopySeconds(
  client: pg.Client,
  tables: readonly CopiedTable[],
  turns: number,
): Promise<number> {
  for (const { name } of tables) {
    await client.query(`CREATE TABLE ${name}_plain (LIKE ${name} INCLUDING ALL)`);
  }
  const began = performance.now();
  for (let turn = 0; turn < turns; turn++) {
    await client.query('BEGIN; SET LOCAL synchronous_commit TO off');
    for (const { name, lines } of tables) {
      const rows = share(lines, turn, turns);
      if (rows.length) await copyInto(client, `${name}_plain`, Buffer.concat(rows));
    }
    await client.query('COMMIT');
  }
  const seconds = (performance.now() - began) / 1000;
  for (const { name } of tables) await client.query(`DROP TABLE ${name}_plain`);
  return seconds;
}

function copyInto(client: pg.Client, table: string, rows: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const stream = client.query(from(`COPY ${table} FROM STDIN`));
    stream.on('error', reject);
    stream.on('finish', resolve);
    stream.end(rows);
  });
}
