import { table } from '../table.js';
import type { ProjectionShape } from '../views.js';

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

/**
 * Rectangles of both times: valid time in milliseconds, what the ledger knew in moments. Open ends are unset. Those of one moment are disjoint,
 * but for what was written to a memory while it was held back: it lies over the rest, and cuts it once a reviewer has decided.
 */
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

export const versionSubjectsTable = table({
  name: 'version_subjects',
  columns: { bank: 'bank', subject_hash: 'hex', doc: 'integer' },
  key: ['bank', 'subject_hash', 'doc'],
  indexes: [{ columns: ['bank', 'doc'] }],
});

/** Which versions were derived from a memory. */
export const versionSourcesTable = table({
  name: 'version_sources',
  columns: { bank: 'bank', source_id: 'text', doc: 'integer' },
  key: ['bank', 'source_id', 'doc'],
});

/** Orders to erase: those that were not completed are gone on with. */
export const erasuresTable = table({
  name: 'erasures',
  columns: {
    bank: 'bank',
    erasure_id: 'text',
    /** `ordered` once all parts of the order are there, `partial` before, `completed`. */
    state: 'text',
    /** Parts of the order that are there, and how many there are to be. */
    parts_stored: 'integer',
    parts: 'integer',
    /** Moment of the last event of it. */
    seq: 'integer',
  },
  key: ['bank', 'erasure_id'],
});

/** Keyed hashes of values that were erased, and must not come back by themselves. */
export const erasedValuesTable = table({
  name: 'erased_values',
  columns: { bank: 'bank', fingerprint: 'hex', memory_id: 'text' },
  key: ['bank', 'fingerprint', 'memory_id'],
});

const upToMoment = { column: 'seq', bound: 'seq' } as const;

export const versionsShape = {
  name: 'versions',
  version: 3,
  tables: [
    momentsTable,
    versionsTable,
    changesTable,
    bankEventsTable,
    spansTable,
    versionSubjectsTable,
    versionSourcesTable,
    erasuresTable,
    erasedValuesTable,
  ],
  purge: [
    {
      do: 'remove',
      table: versionSubjectsTable,
      through: { table: versionsTable, until: upToMoment },
      on: 'doc',
    },
    { do: 'blank', table: versionsTable, until: upToMoment, set: { box: '', subjects: null } },
    { do: 'blank', table: changesTable, until: upToMoment, set: { box: null, subjects: null } },
    {
      do: 'blank',
      table: spansTable,
      until: { column: 'seq_from', bound: 'seq' },
      set: { status: 'erased', aside: 1 },
    },
  ],
} as const satisfies ProjectionShape;
