import type { Purges } from '../purge.js';
import { versionsTable } from '../tables/versions.js';
import { docsPerVectorBlock } from '../vectors.js';
import type { GenerationId } from '../views.js';
import { tableName } from './schema.js';
import type { Store } from './store.js';

/** All vectors of banks that ended. Inside a transaction. */
export function purgeVectorsOfBanks(store: Store, { banks }: Purges): void {
  for (const bank of banks) {
    const number = store.numberBank(bank);
    for (const table of ['hl_vectors', 'hl_vector_blocks', 'hl_vector_marks'])
      store.file.db.prepare(`DELETE FROM ${table} WHERE bank = ?`).run(number);
    change(store, number);
  }
}

/**
 * The vectors of memories in all spaces; those whose window held one of their docs are blanked. Inside a transaction, in whatever generation of
 * the versions, for the docs are the same in each. It counts as a change also where nothing goes: a text may have been opened already.
 */
export function purgeVectors(store: Store, { generation }: GenerationId, { memories }: Purges): void {
  const { db } = store.file;
  const docsOf = db.prepare(
    `SELECT doc FROM ${tableName(versionsTable, generation)} WHERE bank = ? AND memory_id = ? AND doc < ?`,
  );
  const remove = db.prepare('DELETE FROM hl_vectors WHERE bank = ? AND doc = ?');
  const blank = db.prepare(
    'UPDATE hl_vectors SET sealed = NULL, before = NULL, changed = ? WHERE bank = ? AND before = ?',
  );
  const unblock = db.prepare(
    `DELETE FROM hl_vector_blocks WHERE bank = ?1 AND (first = ?2 - ?2 % ${docsPerVectorBlock} OR ` +
      `first IN (SELECT doc - doc % ${docsPerVectorBlock} FROM hl_vectors WHERE bank = ?1 AND before = ?2))`,
  );
  const blanked = db.prepare('UPDATE hl_vector_banks SET blanked = changes WHERE bank = ?');
  const docsByBank = new Map<number, number[]>();
  for (const { bank, memoryId, doc } of memories) {
    const number = store.numberBank(bank);
    const docs = (docsOf.all(number, memoryId, doc) as { doc: number }[]).map((row) => row.doc);
    docsByBank.set(number, [...(docsByBank.get(number) ?? []), ...docs]);
  }
  for (const [bank, docs] of docsByBank) {
    const changes = change(store, bank);
    for (const doc of docs) unblock.run(bank, doc);
    for (const doc of docs) remove.run(bank, doc);
    let blanks = 0;
    for (const doc of docs) blanks += Number(blank.run(changes, bank, doc).changes);
    if (blanks > 0) blanked.run(bank);
  }
}

/** Inside a transaction, where docs may be numbered otherwise than before. */
export function clearVectors(store: Store): void {
  const { db } = store.file;
  db.exec('DELETE FROM hl_vectors; DELETE FROM hl_vector_blocks; DELETE FROM hl_vector_marks');
  for (const { number } of db.prepare('SELECT number FROM hl_banks').all() as { number: number }[])
    change(store, number);
}

/** @returns how many changes there were so far, this one among them */
export function change(store: Store, bank: number): number {
  const { changes } = store.file.db
    .prepare(
      'INSERT INTO hl_vector_banks (bank, changes, blanked) VALUES (?, 1, 0) ON CONFLICT (bank) DO UPDATE SET changes = changes + 1 RETURNING changes',
    )
    .get(bank) as { changes: number };
  return changes;
}
