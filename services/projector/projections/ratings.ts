import { ratingsShape, ratingsTable } from '#views/tables/ratings.js';
import type { Projection } from './projection.js';

/** How memories fared with those who used them. Opens nothing; it looks at every event, since its rows carry their moments. */
export const ratings: Projection = {
  ...ratingsShape,
  needs: () => undefined,
  apply: ({ envelope: { bank, principal, recordedAt }, event }, { seq }, rows) => {
    if (event.type !== 'MemoryRated') return;
    const { memoryId, version, outcome, recallId } = event.data;
    rows.add(ratingsTable, {
      bank,
      seq,
      memory_id: memoryId,
      version,
      principal,
      outcome,
      recall_id: recallId ?? null,
      at: recordedAt,
    });
  },
};
