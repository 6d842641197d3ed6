import { table } from '../table.js';

export const countsTable = table({
  name: 'counts',
  columns: { bank: 'bank', kind: 'text', status: 'text', memories: 'integer' },
  key: ['bank', 'kind', 'status'],
  group: { by: ['bank'] },
});

/** Where each memory is counted now, so that it can be counted out again. */
export const countedTable = table({
  name: 'counted',
  columns: { bank: 'bank', memory_id: 'text', kind: 'text', status: 'text' },
  key: ['bank', 'memory_id'],
});

export const statsShape = { name: 'stats', version: 3, tables: [countsTable, countedTable] } as const;
