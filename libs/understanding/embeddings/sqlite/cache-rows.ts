import { hash } from 'node:crypto';
import type { SqliteDatabase } from '#sqlite/open-database.js';

/** A vector as it stands in cache.db. */
export interface CacheRow {
  /** Of what it was made of, keyed. */
  readonly hash: Uint8Array;
  readonly sealed: Uint8Array;
  readonly memoryIds: readonly string[];
}

/** Which file it is, and how many erasures the bank's part of it has seen. */
export function stampOf(db: SqliteDatabase, bank: string): string {
  const found = db
    .prepare(
      `SELECT (SELECT value FROM hl_meta WHERE name = 'file') AS file, (SELECT erasures FROM banks WHERE bank = ?) AS erasures`,
    )
    .get(bank) as { file: string; erasures: number | null };
  return `${found.file}.${found.erasures ?? 0}`;
}

export function sealedOf(db: SqliteDatabase, bank: string, hashes: readonly Uint8Array[]): (Uint8Array | undefined)[] {
  const of = db.prepare(
    'SELECT sealed FROM vectors WHERE bank = (SELECT number FROM banks WHERE bank = ?) AND hash = ?',
  );
  return hashes.map((each) => (of.get(bank, each) as { sealed: Uint8Array } | undefined)?.sealed);
}

/** Within a transaction. What is there stays: the same text of the same bank has the same vector. */
export function addRows(db: SqliteDatabase, bank: string, rows: readonly CacheRow[]): void {
  const number = numberOf(db, bank);
  const add = db.prepare('INSERT OR IGNORE INTO vectors (bank, hash, sealed) VALUES (?, ?, ?)');
  const words = db.prepare('INSERT OR IGNORE INTO words_of (memory, vector) VALUES (?, ?)');
  for (const row of rows) {
    const { changes, lastInsertRowid } = add.run(number, row.hash, row.sealed);
    if (Number(changes) === 0) continue;
    for (const memoryId of row.memoryIds) words.run(memoryHash(memoryId), lastInsertRowid);
  }
}

/** Within a transaction: from here on, nothing that was opened before is kept. */
export function noteErasure(db: SqliteDatabase, bank: string): void {
  db.prepare('UPDATE banks SET erasures = erasures + 1 WHERE number = ?').run(numberOf(db, bank));
}

/** Within a transaction. */
export function dropMemories(db: SqliteDatabase, memoryIds: readonly string[]): void {
  const of = db.prepare('SELECT vector FROM words_of WHERE memory = ?');
  for (const memoryId of memoryIds)
    for (const { vector } of of.all(memoryHash(memoryId)) as { vector: number }[]) dropVector(db, vector);
}

/** Within a transaction: a piece of a bank, at most so many. @returns how many went */
export function dropSomeOf(db: SqliteDatabase, bank: string, limit: number): number {
  const ids = db
    .prepare('SELECT id FROM vectors WHERE bank = (SELECT number FROM banks WHERE bank = ?) LIMIT ?')
    .all(bank, limit) as { id: number }[];
  for (const { id } of ids) dropVector(db, id);
  return ids.length;
}

/** Within a transaction: those that were kept first, whosever they are. */
export function dropOldest(db: SqliteDatabase, limit: number): void {
  const ids = db.prepare('SELECT id FROM vectors ORDER BY id LIMIT ?').all(limit) as { id: number }[];
  for (const { id } of ids) dropVector(db, id);
}

/** Bytes in use: what was freed is written to again before the file grows. */
export function bytesOf(db: SqliteDatabase): number {
  const of = (pragma: string) => Number(Object.values(db.prepare(`PRAGMA ${pragma}`).get() as object)[0]);
  return (of('page_count') - of('freelist_count')) * of('page_size');
}

function dropVector(db: SqliteDatabase, id: number): void {
  db.prepare('DELETE FROM vectors WHERE id = ?').run(id);
  db.prepare('DELETE FROM words_of WHERE vector = ?').run(id);
}

function numberOf(db: SqliteDatabase, bank: string): number {
  db.prepare('INSERT OR IGNORE INTO banks (bank) VALUES (?)').run(bank);
  return (db.prepare('SELECT number FROM banks WHERE bank = ?').get(bank) as { number: number }).number;
}

/** Half of its bytes are as good as all of them to tell memories apart. */
function memoryHash(memoryId: string): Uint8Array {
  return hash('sha256', memoryId, 'buffer').subarray(0, 16);
}
