import { understandingVersion } from '#understanding/understanding-version.js';
import { table } from '../table.js';
import type { ProjectionShape } from '../views.js';

/** What a model found in versions, one row per reading. What is drawn from it is unset where nothing was found, and once the memory was erased. */
export const findingsTable = table({
  name: 'findings',
  columns: {
    bank: 'bank',
    seq: 'integer',
    memory_id: 'text',
    version: 'integer',
    /** Version of the rules that it was checked by, and fingerprint of who read. */
    rules: 'integer',
    model: 'text',
    tokens_read: 'integer',
    tokens_written: 'integer',
    /** When it was recorded. */
    at: 'text',
    /** Keyed hashes of the names that were found, one behind the other, as those of `docs`. */
    names: 'hex?',
    /** JSON array of moments in milliseconds: the middles of the times that were found. */
    times: 'text?',
  },
  key: ['bank', 'seq'],
  indexes: [{ columns: ['bank', 'memory_id', 'seq'] }],
});

/** Where in their streams memories were erased last: what was read before is nothing, also where it comes after. */
export const endedTable = table({
  name: 'ended',
  columns: { bank: 'bank', memory_id: 'text', revision: 'integer' },
  key: ['bank', 'memory_id'],
});

/** Of the tables; another one cannot be read any more. */
const layout = 1;
const below = 1_000;

/** Other rules fold names otherwise: then it is built anew by itself, and the former answers meanwhile. */
export const findingsShape = {
  name: 'findings',
  version: layout * below + understandingVersion,
  readableFrom: layout * below,
  tables: [findingsTable, endedTable],
  purge: [
    {
      do: 'blank',
      table: findingsTable,
      until: { column: 'seq', bound: 'seq' },
      set: { names: null, times: null },
    },
  ],
} as const satisfies ProjectionShape;
