import { type RatingCells, type RatingReader, type RatingRow, ratingColumns, toRating } from '../../ratings.js';
import { decodeText } from '../cells.js';
import type { Banks } from './bank-view.js';
import { safeMoment } from './moments.js';

export function ratingReader(banks: Banks): RatingReader {
  return {
    ratingsAfter: (bank, seq) =>
      banks.read<RatingRow[]>(
        bank,
        async (view) =>
          (
            await view.arrays<RatingCells>(
              `SELECT ${ratingColumns} FROM {ratings} WHERE bank = $1 AND seq > $2 AND seq <= ${safeMoment} ORDER BY seq`,
              seq,
            )
          ).map((cells) => toRating(cells.map(decoded) as unknown as RatingCells)),
        [],
      ),
  };
}

function decoded(cell: RatingCells[number]): RatingCells[number] {
  return typeof cell === 'string' ? decodeText(cell) : cell;
}
