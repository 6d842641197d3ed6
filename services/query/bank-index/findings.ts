import type { FindingRow } from '#views/findings.js';
import type { Columns } from './columns.js';

/** What a model had found in a bank's versions by some moment. */
export interface FoundAt {
  /** Numbers of the names that it found in a doc, each once. */
  namesOf(doc: number): readonly number[];
  /** Docs that it has read, at whatever moment. */
  read(): Iterable<number>;
  /** Whether it had read a doc, whatever it found there. */
  isRead(doc: number): boolean;
  /** Moments that a doc is about, in milliseconds. */
  timesOf(doc: number): readonly number[];
  /** Docs in which it found a name, ascending. */
  docsOf(name: number): readonly number[];
}

/** What a model found in the versions of one bank, at any moment that was loaded. */
export interface BankFindings {
  /** Takes note of readings that were loaded, of docs that were loaded before; the same again changes nothing. */
  note(rows: readonly FindingRow[]): void;
  /** Undefined where nobody had read anything. Of several readings of one version the last counts. */
  at(seq: number): FoundAt | undefined;
}

interface Reading {
  readonly seq: number;
  readonly names: readonly number[];
  readonly times: readonly number[];
}

const none: readonly number[] = [];

export function bankFindings(columns: Columns): BankFindings {
  /** Per doc, ascending by moment. */
  const readings = new Map<number, Reading[]>();
  /** Per name, docs in which it was ever found. */
  const docs = new Map<number, Set<number>>();
  let first = Infinity;

  return {
    note(rows) {
      if (rows.length === 0) return;
      const docOf = docsOfVersions(columns, rows);
      for (const row of rows) {
        const doc = docOf(row);
        if (doc === undefined) continue;
        first = Math.min(first, row.seq);
        const own = readings.get(doc) ?? [];
        if (own.some(({ seq }) => seq === row.seq)) continue;
        const names = [...new Set(row.names.map((hash) => columns.entityNumbers.add(hash)))];
        readings.set(
          doc,
          [...own, { seq: row.seq, names, times: row.times }].sort((one, other) => one.seq - other.seq),
        );
        for (const name of names) docs.set(name, (docs.get(name) ?? new Set()).add(doc));
      }
    },

    at(seq) {
      if (first > seq) return undefined;
      const reading = (doc: number): Reading | undefined => readings.get(doc)?.findLast((each) => each.seq <= seq);
      return {
        namesOf: (doc) => reading(doc)?.names ?? none,
        read: () => readings.keys(),
        isRead: (doc) => reading(doc) !== undefined,
        timesOf: (doc) => reading(doc)?.times ?? none,
        docsOf: (name) =>
          [...(docs.get(name) ?? none)]
            .filter((doc) => reading(doc)?.names.includes(name))
            .sort((one, other) => one - other),
      };
    },
  };
}

/** Looks the docs of some versions up in one pass over the bank. */
function docsOfVersions(
  { memories, memory, version, docs }: Columns,
  rows: readonly FindingRow[],
): (row: FindingRow) => number | undefined {
  const wanted = new Map<number, Map<number, number>>();
  for (const { memoryId } of rows) {
    const number = memories.get(memoryId);
    if (number !== undefined) wanted.set(number, new Map());
  }
  for (let doc = 0; doc < docs; doc++) wanted.get(memory[doc]!)?.set(version[doc]!, doc);
  return ({ memoryId, version: asked }) => {
    const number = memories.get(memoryId);
    return number === undefined ? undefined : wanted.get(number)?.get(asked);
  };
}
