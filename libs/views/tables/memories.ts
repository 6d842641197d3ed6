import { table } from '../table.js';

/** Current state of each memory. */
export const memoriesTable = table({
  name: 'memories',
  columns: {
    bank: 'bank',
    memory_id: 'text',
    status: 'text',
    version: 'integer',
    kind: 'text',
    key_hash: 'hex?',
    revision: 'integer',
    seq: 'integer',
    expires_at: 'text?',
  },
  key: ['bank', 'memory_id'],
  indexes: [
    { columns: ['bank', 'key_hash'], whereSet: 'key_hash' },
    { columns: ['bank', 'expires_at', 'status', 'kind'], whereSet: 'expires_at' },
  ],
});

export const memoriesShape = { name: 'memories', version: 3, tables: [memoriesTable] } as const;
