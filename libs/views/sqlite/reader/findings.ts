import { type FindingCells, type FindingReader, type FindingRow, findingColumns, toFinding } from '../../findings.js';
import type { Tables } from './tables.js';

export function findingReader(tables: Tables): FindingReader {
  return {
    findingsAfter: (bank, seq) =>
      tables.read<FindingRow[]>(
        bank,
        (view) =>
          (
            view
              .arrays(`SELECT ${findingColumns} FROM {findings} WHERE bank = ? AND seq > ? ORDER BY seq`)
              .all(view.bank, seq) as unknown as FindingCells[]
          ).map(toFinding),
        [],
      ),
  };
}
