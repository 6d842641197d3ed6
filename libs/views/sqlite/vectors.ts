import { setImmediate as breathe } from 'node:timers/promises';
import { HindsightError } from '#contract/errors.js';
import type { VectorSpace } from '#understanding/embeddings/embedder.js';
import { versionsShape } from '../tables/versions.js';
import { type BankBehind, docsPerVectorBlock, type VectorBatch, type VectorViews } from '../vectors.js';
import { change } from './purge-vectors.js';
import { type Store, states } from './store.js';
import { spaceNumber } from './vector-tables.js';

/** Rows of a space that is removed, at a time: other processes write between two. */
const removedAtOnce = 2_000;

/** How statements are run on a views file that may be damaged, or replaced, at any time. */
export interface VectorFile {
  /** In one transaction. */
  transaction<T>(work: () => T): Promise<T>;
  read<T>(work: () => T): Promise<T>;
}

/** Vectors in the views' own file. */
export function sqliteVectors(store: Store, { transaction, read }: VectorFile): VectorViews {
  const numberOf = ({ model, dimensions }: VectorSpace): number | undefined =>
    (store.file.db.prepare(spaceNumber).get(model, dimensions) as { space: number } | undefined)?.space;

  /** Rows of spaces that are no more. */
  async function sweep(): Promise<void> {
    const remove =
      'DELETE FROM hl_vectors WHERE (bank, doc, space) IN ' +
      '(SELECT bank, doc, space FROM hl_vectors WHERE space NOT IN (SELECT space FROM hl_vector_spaces) LIMIT ?)';
    while ((await transaction(() => store.file.db.prepare(remove).run(removedAtOnce).changes)) === removedAtOnce)
      await breathe();
  }

  return {
    async make(space) {
      if ((await read(() => numberOf(space))) !== undefined) return;
      await transaction(() =>
        store.file.db
          .prepare('INSERT OR IGNORE INTO hl_vector_spaces (model, dimensions) VALUES (?, ?)')
          .run(space.model, space.dimensions),
      );
      await sweep();
    },

    spaces: () =>
      read(
        () =>
          store.file.db
            .prepare('SELECT model, dimensions FROM hl_vector_spaces ORDER BY space')
            .all() as unknown as VectorSpace[],
      ),

    async drop(space) {
      await transaction(() => {
        const number = numberOf(space);
        if (number === undefined) return;
        for (const table of ['hl_vector_blocks', 'hl_vector_marks', 'hl_vector_spaces'])
          store.file.db.prepare(`DELETE FROM ${table} WHERE space = ?`).run(number);
      });
      await sweep();
    },

    blocks: {
      missing: (space, limit) =>
        read(
          () =>
            store.file.db.prepare(missingBlocks).all(numberOf(space) ?? 0, limit) as unknown as {
              bank: string;
              first: number;
            }[],
        ),
      put: (bank, space, { first, sealed }, changes) =>
        transaction(() => {
          const inSpace = numberOf(space);
          if (inSpace === undefined) throw moved(bank, 'the space was removed');
          const number = store.numberBank(bank);
          if (changesOf(store, number) !== changes) throw moved(bank, 'something of it was purged or made anew');
          // A store or a space that was made anew counts its changes from the beginning.
          if (markOf(store, number, inSpace) < first + docsPerVectorBlock)
            throw moved(bank, 'its vectors are made anew');
          store.file.db
            .prepare('INSERT OR REPLACE INTO hl_vector_blocks (bank, first, space, sealed) VALUES (?, ?, ?, ?)')
            .run(number, first, inSpace, sealed);
        }),
    },

    put: (bank, space, batch) => transaction(() => putBatch(store, bank, numberOf(space), batch)),

    blanks: (bank, space, limit) =>
      read(() => {
        const number = store.bankNumber(bank);
        const inSpace = numberOf(space);
        if (number === undefined || inSpace === undefined) return [];
        const rows = store.file.db
          .prepare(`SELECT doc FROM ${blankRows} WHERE bank = ? AND sealed IS NULL AND space = ? ORDER BY doc LIMIT ?`)
          .all(number, inSpace, limit) as { doc: number }[];
        return rows.map(({ doc }) => doc);
      }),

    behind: (space, limit) =>
      read(
        () =>
          store.file.db
            .prepare(behindSql)
            .all(numberOf(space) ?? 0, versionsShape.name, limit) as unknown as BankBehind[],
      ),
  };
}

/**
 * Where vectors are to be made anew. Left to itself SQLite takes the primary key and reads all rows of the bank: 27 to 31 ms at 100,000, and
 * the maker of vectors asks before each batch.
 */
const blankRows = 'hl_vectors INDEXED BY hl_vectors_blank';

/** Spaces are numbered from 1 on. */
const behindSql = `
SELECT * FROM (
  SELECT b.id AS bank, n.docs, coalesce(m.mark, 0) AS mark,
    (SELECT count(*) FROM ${blankRows} WHERE bank = n.bank AND sealed IS NULL AND space = ?1) AS blanks
  FROM hl_generations g JOIN hl_numbers n USING (projection, generation) JOIN hl_banks b ON b.number = n.bank
    LEFT JOIN hl_vector_marks m ON m.bank = n.bank AND m.space = ?1
  WHERE g.projection = ?2 AND g.active = ${states.active})
WHERE docs > mark OR blanks > 0 ORDER BY bank LIMIT ?3`;

function putBatch(
  store: Store,
  bank: string,
  space: number | undefined,
  { from, rows, gone = [], mark }: VectorBatch,
): void {
  const { db } = store.file;
  if (space === undefined) throw moved(bank, 'the space was removed');
  const number = store.numberBank(bank);
  if (changesOf(store, number) !== from.changes) throw moved(bank, 'something of it was purged or made anew');
  if (markOf(store, number, space) !== from.mark) throw moved(bank, 'another process was faster');
  const isAnew = rows.some(({ doc }) => doc < from.mark);
  const changed = isAnew ? change(store, number) : 0;
  const put = db.prepare(
    'INSERT INTO hl_vectors (bank, doc, space, before, changed, sealed) VALUES (?, ?, ?, ?, ?, ?) ' +
      'ON CONFLICT (bank, doc, space) DO UPDATE SET before = excluded.before, changed = excluded.changed, sealed = excluded.sealed',
  );
  for (const { doc, before, sealed } of rows)
    put.run(number, doc, space, before ?? null, doc < from.mark ? changed : 0, sealed);
  const unblock = db.prepare('DELETE FROM hl_vector_blocks WHERE bank = ? AND first = ? AND space = ?');
  for (const doc of [...rows.map((row) => row.doc), ...gone])
    if (doc < from.mark) unblock.run(number, doc - (doc % docsPerVectorBlock), space);
  const remove = db.prepare('DELETE FROM hl_vectors WHERE bank = ? AND doc = ? AND space = ?');
  for (const doc of gone) remove.run(number, doc, space);
  db.prepare(
    'INSERT INTO hl_vector_marks (space, bank, mark) VALUES (?, ?, ?) ON CONFLICT (space, bank) DO UPDATE SET mark = max(mark, excluded.mark)',
  ).run(space, number, mark);
}

/** Of marks, those whole blocks that are not there; with blanks in it, a block waits until these are made anew. */
const missingBlocks = `
WITH RECURSIVE wanted (bank, first, mark) AS (
  SELECT bank, 0, mark FROM hl_vector_marks WHERE space = ?1 AND mark >= ${docsPerVectorBlock}
  UNION ALL
  SELECT bank, first + ${docsPerVectorBlock}, mark FROM wanted WHERE first + 2 * ${docsPerVectorBlock} <= mark)
SELECT b.id AS bank, w.first FROM wanted w JOIN hl_banks b ON b.number = w.bank
WHERE NOT EXISTS (SELECT 1 FROM hl_vector_blocks k WHERE k.bank = w.bank AND k.first = w.first AND k.space = ?1)
  AND NOT EXISTS (SELECT 1 FROM ${blankRows} WHERE bank = w.bank AND sealed IS NULL AND space = ?1
    AND doc >= w.first AND doc < w.first + ${docsPerVectorBlock})
  AND EXISTS (SELECT 1 FROM hl_vectors v WHERE v.bank = w.bank AND v.space = ?1
    AND v.doc >= w.first AND v.doc < w.first + ${docsPerVectorBlock})
ORDER BY w.bank, w.first LIMIT ?2`;

function markOf(store: Store, bank: number, space: number): number {
  const found = store.file.db
    .prepare('SELECT mark FROM hl_vector_marks WHERE space = ? AND bank = ?')
    .get(space, bank) as { mark: number } | undefined;
  return found?.mark ?? 0;
}

function changesOf(store: Store, bank: number): number {
  const found = store.file.db.prepare('SELECT changes FROM hl_vector_banks WHERE bank = ?').get(bank) as
    | { changes: number }
    | undefined;
  return found?.changes ?? 0;
}

function moved(bank: string, why: string): HindsightError {
  return new HindsightError('checkpoint_moved', `The vectors of bank ${bank} are not where they were: ${why}.`, {
    bank,
  });
}
