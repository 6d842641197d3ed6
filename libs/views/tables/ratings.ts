import { table } from '../table.js';
import type { ProjectionShape } from '../views.js';

/** How memories fared, one row per rating: what a memory's weight is made of. Notes stand, sealed, beside the other changes. */
export const ratingsTable = table({
  name: 'ratings',
  columns: {
    bank: 'bank',
    seq: 'integer',
    memory_id: 'text',
    version: 'integer',
    principal: 'text',
    outcome: 'text',
    recall_id: 'text?',
    /** When it was recorded. */
    at: 'text',
  },
  key: ['bank', 'seq'],
  indexes: [{ columns: ['bank', 'memory_id', 'seq'] }],
});

export const ratingsShape = {
  name: 'ratings',
  version: 1,
  tables: [ratingsTable],
  purge: [
    {
      do: 'remove',
      table: ratingsTable,
      through: { table: ratingsTable, until: { column: 'seq', bound: 'seq' } },
      on: 'seq',
    },
  ],
} as const satisfies ProjectionShape;
