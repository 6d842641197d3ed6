import type { VectorSpace } from '#understanding/embeddings/embedder.js';
import { noVectors, type StoredVector, type VectorBlock, type VectorReader } from '../../vectors.js';
import { spaceNumber } from '../vector-tables.js';
import type { BankView, Tables } from './tables.js';

type VectorArray = [number, Uint8Array, number];

export function vectorReader(tables: Tables): VectorReader {
  const inSpace = <T>(bank: string, space: VectorSpace, work: (view: BankView, space: number) => T, empty: T) =>
    tables.read<T>(
      bank,
      (view) => {
        const found = view.sql(spaceNumber).get(space.model, space.dimensions) as { space: number } | undefined;
        return found ? work(view, found.space) : empty;
      },
      empty,
    );
  const rows = (view: BankView, where: string, ...values: number[]): StoredVector[] =>
    (
      view
        .arrays(`SELECT doc, sealed, changed FROM hl_vectors WHERE bank = ? AND sealed IS NOT NULL AND ${where}`)
        .all(view.bank, ...values) as VectorArray[]
    ).map(([doc, sealed, changed]) => ({ doc, sealed, changed }));

  return {
    vectorState: (bank, space) =>
      inSpace(
        bank,
        space,
        (view, number) => {
          const found = view
            .sql(
              'SELECT coalesce((SELECT mark FROM hl_vector_marks WHERE space = ?1 AND bank = ?2), 0) AS mark, ' +
                'coalesce((SELECT changes FROM hl_vector_banks WHERE bank = ?2), 0) AS changes, ' +
                'coalesce((SELECT blanked FROM hl_vector_banks WHERE bank = ?2), 0) AS blanked',
            )
            .get(number, view.bank) as { mark: number; changes: number; blanked: number };
          return { ...found };
        },
        noVectors,
      ),
    vectorSpaces: (bank) =>
      tables.read<VectorSpace[]>(
        bank,
        (view) =>
          (
            view
              .sql(
                'SELECT s.model, s.dimensions FROM hl_vector_spaces s JOIN hl_vector_marks m ON m.space = s.space WHERE m.bank = ? AND m.mark > 0 ORDER BY s.space',
              )
              .all(view.bank) as unknown as VectorSpace[]
          ).map(({ model, dimensions }) => ({ model, dimensions })),
        [],
      ),
    vectorsFrom: (bank, space, doc, limit) =>
      inSpace(
        bank,
        space,
        (view, number) => rows(view, 'doc >= ? AND space = ? ORDER BY doc LIMIT ?', doc, number, limit),
        [],
      ),
    vectorBlockFrom: (bank, space, doc) =>
      inSpace(
        bank,
        space,
        (view, number) => {
          const found = view
            .arrays(
              'SELECT first, sealed FROM hl_vector_blocks WHERE bank = ? AND first >= ? AND space = ? ORDER BY first LIMIT 1',
            )
            .get(view.bank, doc, number) as [number, Uint8Array] | undefined;
          return found && { first: found[0], sealed: found[1] };
        },
        undefined as VectorBlock | undefined,
      ),
    vectorsChangedAfter: (bank, space, change) =>
      inSpace(bank, space, (view, number) => rows(view, 'changed > ? AND space = ? ORDER BY doc', change, number), []),
  };
}
