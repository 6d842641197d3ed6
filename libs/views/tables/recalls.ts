import { table } from '../table.js';
import type { ProjectionShape } from '../views.js';

/** What was served, one row per answer. `recall_no` numbers a bank's rows in the order of their events. */
export const recallsTable = table({
  name: 'recalls',
  columns: {
    bank: 'bank',
    recall_no: 'integer',
    recall_id: 'text',
    position: 'position',
    stream: 'text',
    event_id: 'text',
    schema: 'integer',
    recorded_at: 'text',
    session_id: 'text?',
    task_id: 'text?',
    step: 'text?',
    principal: 'text',
    agent: 'text?',
    tool: 'text?',
    /** When it was asked, and when what it asked about was to be true. */
    asked_at: 'text',
    valid_at: 'text?',
    /** The basis's position, as the event has it. */
    basis: 'text?',
    took_ms: 'real',
    /** JSON array of [memory id, version, score], as they were ranked. */
    items: 'text',
    /** JSON array of keyed hashes; unset when there are none. */
    subjects: 'text?',
    /** Of the box: it has a secret of its own, which goes with whoever the record is about. */
    secret_id: 'text?',
    /** JSON of the sealed question; unset once a memory that was served is erased. */
    box: 'text?',
  },
  key: ['bank', 'recall_no'],
  indexes: [
    { columns: ['bank', 'session_id', 'recall_no'], whereSet: 'session_id' },
    { columns: ['bank', 'recall_id'] },
  ],
  wide: true,
});

/** Which answers held a memory. */
export const servedTable = table({
  name: 'served',
  columns: { bank: 'bank', memory_id: 'text', recall_no: 'integer' },
  key: ['bank', 'memory_id', 'recall_no'],
});

/** Which questions were about a person. */
export const recallSubjectsTable = table({
  name: 'recall_subjects',
  columns: { bank: 'bank', subject_hash: 'hex', recall_no: 'integer' },
  key: ['bank', 'subject_hash', 'recall_no'],
});

export const recallsShape = {
  name: 'recalls',
  version: 1,
  tables: [recallsTable, servedTable, recallSubjectsTable],
  purge: [
    {
      do: 'blank',
      table: recallsTable,
      through: { table: servedTable, until: { column: 'recall_no', bound: 'seq' } },
      on: 'recall_no',
      set: { box: null },
    },
  ],
} as const satisfies ProjectionShape;
