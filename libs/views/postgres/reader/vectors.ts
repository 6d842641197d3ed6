import type { VectorSpace } from '#understanding/embeddings/embedder.js';
import { noVectors, type StoredVector, type VectorReader } from '../../vectors.js';
import { namesOf } from '../vectors/vector-space.js';
import type { Banks, BankView } from './bank-view.js';

type VectorArray = readonly [number, Buffer, number];

export function vectorReader(banks: Banks): VectorReader {
  const inSpace = <T>(
    bank: string,
    space: VectorSpace,
    work: (view: BankView, table: string) => Promise<T>,
    empty: T,
  ) =>
    banks.read<T>(
      bank,
      async (view) => {
        const { name, table } = namesOf(space);
        const made = await view.rows(
          'SELECT FROM hindsight.hl_vector_spaces WHERE name = $2 AND $1::integer IS NOT NULL',
          name,
        );
        return made.length > 0 ? work(view, table) : empty;
      },
      empty,
    );
  const rows = async (view: BankView, table: string, where: string, ...values: number[]): Promise<StoredVector[]> =>
    (
      await view.arrays<VectorArray>(
        `SELECT doc, sealed, changed FROM ${table} WHERE bank = $1 AND sealed IS NOT NULL AND ${where}`,
        ...values,
      )
    ).map(([doc, sealed, changed]) => ({ doc, sealed, changed }));

  return {
    vectorState: (bank, space) =>
      inSpace(
        bank,
        space,
        async (view) => {
          const [found] = await view.rows<{ mark: number; changes: number; blanked: number }>(
            'SELECT coalesce((SELECT mark FROM hindsight.hl_vector_marks WHERE bank = $1 AND space = $2), 0) AS mark, ' +
              'coalesce((SELECT changes FROM hindsight.hl_vector_banks WHERE bank = $1), 0) AS changes, ' +
              'coalesce((SELECT blanked FROM hindsight.hl_vector_banks WHERE bank = $1), 0) AS blanked',
            namesOf(space).name,
          );
          return found!;
        },
        noVectors,
      ),
    vectorSpaces: (bank) =>
      banks.read<VectorSpace[]>(
        bank,
        async (view) => {
          // Before a projector of this release has been there, there is no table of marks; nor a space.
          const made = await view.rows('SELECT FROM hindsight.hl_vector_spaces WHERE $1::integer IS NOT NULL LIMIT 1');
          if (made.length === 0) return [];
          return view.rows<{ model: string; dimensions: number }>(
            'SELECT s.model, s.dimensions FROM hindsight.hl_vector_spaces AS s JOIN hindsight.hl_vector_marks AS m ON m.space = s.name ' +
              'WHERE m.bank = $1 AND m.mark > 0 ORDER BY s.made',
          );
        },
        [],
      ),
    vectorsFrom: (bank, space, doc, limit) =>
      inSpace(bank, space, (view, table) => rows(view, table, 'doc >= $2 ORDER BY doc LIMIT $3', doc, limit), []),
    vectorsChangedAfter: (bank, space, change) =>
      inSpace(bank, space, (view, table) => rows(view, table, 'changed > $2 ORDER BY doc', change), []),
  };
}
