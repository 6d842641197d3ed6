import { table } from '../table.js';

/** The bank's n-th event that changed an answer: positions and system times stand here and nowhere else. */
export const momentsTable = table({
  name: 'moments',
  columns: {
    bank: 'bank',
    seq: 'integer',
    position: 'position',
    event_id: 'text',
    hash: 'text',
    system_time: 'text',
  },
  key: ['bank', 'seq'],
});

/** Where a box came from, and who sent it: the same for every event with a box. */
const provenance = {
  stream: 'text',
  event_id: 'text',
  type: 'text',
  schema: 'integer',
  recorded_at: 'text',
  /** JSON array of keyed hashes; absent when there are none. */
  subjects: 'text?',
  principal: 'text',
  agent: 'text?',
  tool: 'text?',
  /** JSON of the event's own sealed box. */
  box: 'text?',
} as const;

/** Events of memories that are no versions: what turned them, and what erased them. */
export const changesTable = table({
  name: 'changes',
  columns: { bank: 'bank', memory_id: 'text', seq: 'integer', ...provenance },
  key: ['bank', 'memory_id', 'seq'],
  indexes: [{ columns: ['bank', 'seq'] }],
  wide: true,
});

/** Events of the bank itself, with its sealed name. */
export const bankEventsTable = table({
  name: 'bank_events',
  columns: { bank: 'bank', seq: 'integer', ...provenance },
  key: ['bank', 'seq'],
  wide: true,
});

export const versionsTable = table({
  name: 'versions',
  columns: {
    bank: 'bank',
    doc: 'integer',
    memory_id: 'text',
    seq: 'integer',
    version: 'integer',
    kind: 'text',
    origin: 'text',
    /** occurred_at, else recorded_at: what a time range means. */
    happened_at: 'text',
    occurred_at: 'text?',
    valid_from: 'text',
    valid_to: 'text?',
    expires_at: 'text?',
    importance: 'real?',
    confidence: 'real?',
    trust: 'real?',
    session_id: 'text?',
    task_id: 'text?',
    step: 'text?',
    /** JSON array of memory ids; absent when there are none. */
    derived_from: 'text?',
    ...provenance,
    box: 'text',
  },
  key: ['bank', 'doc'],
  indexes: [
    { columns: ['bank', 'memory_id', 'doc'] },
    { columns: ['bank', 'kind', 'happened_at', 'doc'] },
    { columns: ['bank', 'session_id', 'doc'], whereSet: 'session_id' },
    { columns: ['bank', 'task_id', 'doc'], whereSet: 'task_id' },
  ],
  wide: true,
});

/** Rectangles of both times: valid time in milliseconds, what the ledger knew in moments. Open ends are unset. */
export const spansTable = table({
  name: 'spans',
  columns: {
    bank: 'bank',
    memory_id: 'text',
    seq_from: 'integer',
    valid_from: 'integer',
    valid_to: 'integer?',
    seq_to: 'integer?',
    doc: 'integer',
    version: 'integer',
    status: 'text',
    /** 1 where the status is not `current`. A memory's open spans all have one status: which, one look tells. */
    aside: 'integer',
    system_from: 'text',
    system_to: 'text?',
  },
  key: ['bank', 'memory_id', 'seq_from', 'valid_from'],
  group: {
    by: ['bank', 'memory_id', 'aside'],
    whereUnset: 'seq_to',
    interval: { from: 'valid_from', to: 'valid_to' },
  },
  indexes: [
    { columns: ['bank', 'seq_from'] },
    { columns: ['bank', 'seq_to'], whereSet: 'seq_to' },
    { columns: ['bank', 'memory_id', 'aside', 'valid_from'], whereUnset: 'seq_to' },
  ],
});

export const versionTagsTable = table({
  name: 'version_tags',
  columns: { bank: 'bank', tag_hash: 'hex', doc: 'integer' },
  key: ['bank', 'tag_hash', 'doc'],
});

export const versionSubjectsTable = table({
  name: 'version_subjects',
  columns: { bank: 'bank', subject_hash: 'hex', doc: 'integer' },
  key: ['bank', 'subject_hash', 'doc'],
});

export const versionsShape = {
  name: 'versions',
  version: 2,
  tables: [
    momentsTable,
    versionsTable,
    changesTable,
    bankEventsTable,
    spansTable,
    versionTagsTable,
    versionSubjectsTable,
  ],
} as const;
