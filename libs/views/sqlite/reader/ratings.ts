import { type RatingCells, type RatingReader, type RatingRow, ratingColumns, toRating } from '../../ratings.js';
import type { Tables } from './tables.js';

export function ratingReader(tables: Tables): RatingReader {
  return {
    ratingsAfter: (bank, seq) =>
      tables.read<RatingRow[]>(
        bank,
        (view) =>
          (
            view
              .arrays(`SELECT ${ratingColumns} FROM {ratings} WHERE bank = ? AND seq > ? ORDER BY seq`)
              .all(view.bank, seq) as unknown as RatingCells[]
          ).map(toRating),
        [],
      ),
  };
}
