import { hashesIn } from './doc-records.js';

/** What a model found in a version of a memory. */
export interface FindingRow {
  readonly seq: number;
  readonly memoryId: string;
  readonly version: number;
  readonly rules: number;
  /** Fingerprint of the model and of what it was told. */
  readonly model: string;
  readonly tokensRead: number;
  readonly tokensWritten: number;
  /** When it was recorded (ISO, UTC). */
  readonly at: string;
  /** Keyed hashes of names (`fieldTerm` of `entity`); none of what was erased. */
  readonly names: readonly string[];
  /** Moments that it is about, in milliseconds. */
  readonly times: readonly number[];
}

export interface FindingReader {
  /** What was found at the moments after `seq`, ascending; all for 0. */
  findingsAfter(bank: string, seq: number): Promise<FindingRow[]>;
}

/** A row of the table `findings`, as every adapter reads it. */
export type FindingCells = readonly [
  seq: number,
  memoryId: string,
  version: number,
  rules: number,
  model: string,
  tokensRead: number,
  tokensWritten: number,
  at: string,
  names: Uint8Array | null,
  times: string | null,
];

export const findingColumns = 'seq, memory_id, version, rules, model, tokens_read, tokens_written, at, names, times';

/** Text is taken as it stands. */
export function toFinding(cells: FindingCells): FindingRow {
  return {
    seq: cells[0],
    memoryId: cells[1],
    version: cells[2],
    rules: cells[3],
    model: cells[4],
    tokensRead: cells[5],
    tokensWritten: cells[6],
    at: cells[7],
    names: cells[8] === null ? [] : hashesIn(cells[8]),
    times: cells[9] === null ? [] : (JSON.parse(cells[9]) as number[]),
  };
}
