import { gonePostings } from '../gone-postings.js';
import { withoutDocs } from '../postings.js';
import { type PurgedMemory, type PurgedRows, type PurgeStep, type Purges } from '../purge.js';
import { versionsShape } from '../tables/versions.js';
import type { GenerationId } from '../views.js';
import { hexOf, type SqlValue, storedValue } from './cells.js';
import { purgeVectors, purgeVectorsOfBanks } from './purge-vectors.js';
import { tableName } from './schema.js';
import type { Store } from './store.js';

/** Removes all rows of the banks that ended. Inside a transaction, before rows are written. */
export function purgeBanks(store: Store, id: GenerationId, purges: Purges): void {
  const { banks } = purges;
  if (banks.length === 0) return;
  if (id.projection === versionsShape.name) purgeVectorsOfBanks(store, purges);
  const { db } = store.file;
  const { tables } = db
    .prepare('SELECT tables FROM hl_generations WHERE projection = ? AND generation = ?')
    .get(id.projection, id.generation) as { tables: string };
  for (const bank of banks) {
    const number = store.bankNumber(bank);
    if (number === undefined) continue;
    for (const name of JSON.parse(tables) as string[]) db.prepare(`DELETE FROM ${name} WHERE bank = ?`).run(number);
  }
}

/** Carries out the steps for the memories. Inside a transaction, after rows were written. */
export function purgeMemories(store: Store, id: GenerationId, purges: Purges): void {
  const { generation } = id;
  const { memories, steps } = purges;
  if (memories.length > 0 && id.projection === versionsShape.name) purgeVectors(store, id, purges);
  for (const step of steps) {
    if (step.do === 'unpost') unpost(store, generation, step, memories);
    else runEach(store, sqlOf(step, generation), step, memories);
  }
}

/** A statement in this process costs little more than a row: one for each memory, whose rows an index finds. */
function runEach(
  store: Store,
  sql: string,
  step: Exclude<PurgeStep, { do: 'unpost' }>,
  memories: readonly PurgedMemory[],
): void {
  const statement = store.file.db.prepare(sql);
  const set = step.do === 'blank' ? Object.entries(step.set) : [];
  const values = set.map(([column, cell]) => storedValue(step.table.columns[column]!, cell, store));
  const rows = 'through' in step ? step.through : step;
  for (const memory of memories) statement.run(...values, ...boundOf(store, rows, memory));
}

function sqlOf(step: Exclude<PurgeStep, { do: 'unpost' }>, generation: number): string {
  const rows = 'through' in step ? step.through : step;
  const meant = whereOf(rows);
  const through = 'through' in step ? { on: step.on, table: step.through.table } : byDoc(rows);
  const where = through
    ? `${through.on} IN (SELECT ${through.on} FROM ${tableName(through.table, generation)} WHERE ${meant}) AND bank = ?1`
    : meant;
  const name = tableName(step.table, generation);
  if (step.do === 'remove') return `DELETE FROM ${name} WHERE ${numbered(where, 0)}`;
  const columns = Object.keys(step.set);
  const set = columns.map((column, index) => `${column} = ?${index + 1}`).join(', ');
  return `UPDATE ${name} SET ${set} WHERE ${numbered(where, columns.length)}`;
}

/**
 * Docs are found in the index first: left to itself, an UPDATE looks through all docs of the bank rather than those of one memory, for 8 to
 * 13 ms each among 100,000.
 */
function byDoc({ table, until }: PurgedRows): { readonly on: string; readonly table: PurgedRows['table'] } | undefined {
  return until.bound === 'doc' ? { on: until.column, table } : undefined;
}

function whereOf({ until: { column, bound } }: PurgedRows): string {
  return `bank = ?1 AND memory_id = ?2 AND ${column} ${bound === 'seq' ? '<=' : '<'} ?3`;
}

function boundOf(store: Store, { until }: PurgedRows, memory: PurgedMemory): SqlValue[] {
  return [store.numberBank(memory.bank), memory.memoryId, memory[until.bound]];
}

/** The parameters moved behind those that are bound before them. */
function numbered(where: string, before: number): string {
  return where.replace(/\?(\d)/g, (_, number: string) => `?${before + Number(number)}`);
}

function unpost(
  store: Store,
  generation: number,
  { postings, terms, docs }: Extract<PurgeStep, { do: 'unpost' }>,
  memories: readonly PurgedMemory[],
): void {
  const { db } = store.file;
  const termsOf = db.prepare(
    `SELECT t.doc, t.terms FROM ${tableName(docs.table, generation)} AS d CROSS JOIN ${tableName(terms, generation)} AS t ` +
      `ON t.bank = d.bank AND t.doc = d.doc WHERE ${whereOf(docs).replace(/(\w+) (=|<=|<) /g, 'd.$1 $2 ')}`,
  );
  const name = tableName(postings, generation);
  const select = db.prepare(`SELECT bytes FROM ${name} WHERE bank = ? AND term = unhex(?) AND block = ?`);
  const update = db.prepare(`UPDATE ${name} SET bytes = ? WHERE bank = ? AND term = unhex(?) AND block = ?`);
  const remove = db.prepare(`DELETE FROM ${name} WHERE bank = ? AND term = unhex(?) AND block = ?`);
  const found = memories.flatMap((memory) =>
    (termsOf.all(...boundOf(store, docs, memory)) as { doc: number; terms: Uint8Array }[]).map((row) => ({
      bank: memory.bank,
      doc: row.doc,
      terms: hexOf(row.terms),
    })),
  );
  for (const { bank, term, block, docs: gone } of gonePostings(found)) {
    const number = store.numberBank(bank);
    const held = select.get(number, term, block) as { bytes: Uint8Array } | undefined;
    if (!held) continue;
    const rest = withoutDocs(block, held.bytes, gone);
    if (rest.length) update.run(rest, number, term, block);
    else remove.run(number, term, block);
  }
}
