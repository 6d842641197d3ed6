import type { VersionRow } from '../../rows.js';
import { toVersion, type VersionRecord } from '../../version-records.js';

/** Texts of `versions`, in the order in which `versionFromCells` takes them. */
const texts = [
  'memory_id',
  'stream',
  'event_id',
  'type',
  'recorded_at',
  'subjects',
  'principal',
  'agent',
  'tool',
  'kind',
  'origin',
  'occurred_at',
  'valid_from',
  'valid_to',
  'expires_at',
  'session_id',
  'task_id',
  'step',
  'derived_from',
] as const;

/**
 * What is selected for a version. Its texts come as one, since each value that passes from SQLite to the program costs a seventh of a
 * microsecond, and a history or a state has a thousand rows: two thirds of what reading them one by one takes. Numbers stay apart: as JSON
 * they would lose digits. So does the box, which is long.
 */
export const versionColumns = `doc, json_array(${texts.join(', ')}), seq, schema, version, importance, confidence, trust, box`;

export type VersionCells = readonly [
  doc: number,
  texts: string,
  seq: number,
  schema: number,
  version: number,
  importance: number | null,
  confidence: number | null,
  trust: number | null,
  box: string | null,
];

/** Texts that no row lacks. */
type Given = readonly string[];

export function versionFromCells(
  bank: string,
  [doc, text, seq, schema, version, importance, confidence, trust, box]: VersionCells,
): VersionRow {
  const at = JSON.parse(text) as Given & readonly (string | null)[];
  return toVersion(bank, {
    memory_id: at[0]!,
    stream: at[1]!,
    event_id: at[2]!,
    type: at[3]!,
    recorded_at: at[4]!,
    subjects: at[5] ?? null,
    principal: at[6]!,
    agent: at[7] ?? null,
    tool: at[8] ?? null,
    kind: at[9] as VersionRecord['kind'],
    origin: at[10] as VersionRecord['origin'],
    occurred_at: at[11] ?? null,
    valid_from: at[12]!,
    valid_to: at[13] ?? null,
    expires_at: at[14] ?? null,
    session_id: at[15] ?? null,
    task_id: at[16] ?? null,
    step: at[17] ?? null,
    derived_from: at[18] ?? null,
    doc,
    seq,
    schema,
    version,
    importance,
    confidence,
    trust,
    box,
  });
}
