import { rmSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';

/** Rows in hand at once, and per transaction. */
const chunk = 5_000;

/**
 * Seconds that the bare driver takes to insert the same rows into the same tables and indexes, read beforehand: what
 * projecting would cost if events were rows already. Each block of postings is inserted once, as it became in the end.
 */
export function rawCopySeconds(viewsPath: string): number {
  const copyPath = `${viewsPath}.copy`;
  const source = new DatabaseSync(viewsPath, { readOnly: true });
  const copy = new DatabaseSync(copyPath);
  copy.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16384');
  const made = source
    .prepare(
      `SELECT type, name, sql FROM sqlite_master WHERE tbl_name LIKE '%\\_g_' ESCAPE '\\' AND sql IS NOT NULL ORDER BY type DESC`,
    )
    .all() as { type: string; name: string; sql: string }[];
  for (const { sql } of made) copy.exec(sql);
  let milliseconds = 0;
  for (const { name } of made.filter(({ type }) => type === 'table')) {
    const select = source.prepare(`SELECT * FROM ${name}`);
    select.setReturnArrays(true);
    let rows: unknown[][] = [];
    const insertAll = (): void => {
      if (rows.length === 0) return;
      const insert = copy.prepare(`INSERT INTO ${name} VALUES (${rows[0]?.map(() => '?').join(', ')})`);
      const began = performance.now();
      copy.exec('BEGIN IMMEDIATE');
      for (const row of rows) insert.run(...row);
      copy.exec('COMMIT');
      milliseconds += performance.now() - began;
      rows = [];
    };
    for (const row of select.iterate() as Iterable<unknown[]>) {
      rows.push(row);
      if (rows.length === chunk) insertAll();
    }
    insertAll();
  }
  source.close();
  copy.close();
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${copyPath}${suffix}`, { force: true });
  return milliseconds / 1000;
}
