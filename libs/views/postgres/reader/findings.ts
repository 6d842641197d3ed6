import { type FindingCells, type FindingReader, type FindingRow, findingColumns, toFinding } from '../../findings.js';
import { decodeText } from '../cells.js';
import type { Banks } from './bank-view.js';
import { safeMoment } from './moments.js';

export function findingReader(banks: Banks): FindingReader {
  return {
    findingsAfter: (bank, seq) =>
      banks.read<FindingRow[]>(
        bank,
        async (view) =>
          (
            await view.arrays<FindingCells>(
              `SELECT ${findingColumns} FROM {findings} WHERE bank = $1 AND seq > $2 AND seq <= ${safeMoment} ORDER BY seq`,
              seq,
            )
          ).map((cells) => {
            const row = toFinding(cells);
            return { ...row, memoryId: decodeText(row.memoryId) };
          }),
        [],
      ),
  };
}
