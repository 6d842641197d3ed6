import { turns } from '#memory/fold-memory.js';
import type { ViewsReader } from '#views/reader.js';
import type { SpanRow } from '#views/rows.js';
import { type Columns, spanStatus } from './columns.js';
import { aside, type Point, standing } from './visibility.js';

/** Turns read at a time. */
const turnsAtOnce = 10_000;

/** What a turn made of its memory: a number of `spanStatus`. */
interface Turned {
  readonly seq: number;
  readonly status: number;
}

/** What was erased of a bank: an answer at a basis before lacks it, and has to say so. */
export interface Erased {
  /** Takes note of spans that were loaded. */
  note(rows: readonly SpanRow[]): void;
  /**
   * Whether anything that was erased since stood as asked at a point. How it stood is told by its events, which keep their places; only
   * whether it had expired is not known any more, and then it counts.
   */
  isMissed(reader: ViewsReader, columns: Columns, point: Point, standings: ReadonlySet<number>): Promise<boolean>;
  /**
   * Whether anything that was erased since stood beside another memory in its session, whatever its own standing: what was said just before
   * a turn, and just after it, is ranked with it.
   */
  wasBeside(reader: ViewsReader, columns: Columns, point: Pick<Point, 'seq'>): Promise<boolean>;
}

export function erasedOf(bank: string): Erased {
  const docsOf = new Map<string, Set<number>>();
  let turned: { readonly upTo: number; readonly of: ReadonlyMap<string, readonly Turned[]> } | undefined;

  /** The turns of what was erased, read once for as long as the bank stands where it stood. */
  async function turnsUpTo(reader: ViewsReader, upTo: number): Promise<ReadonlyMap<string, readonly Turned[]>> {
    if (turned && turned.upTo >= upTo) return turned.of;
    const of = new Map<string, Turned[]>();
    for (let after = 0; ; ) {
      const rows = await reader.turnsBetween(bank, after, upTo, turnsAtOnce);
      for (const { memoryId, seq, type } of rows)
        if (docsOf.has(memoryId) && type !== 'MemoryRated')
          of.set(memoryId, [...(of.get(memoryId) ?? []), { seq, status: statusAfter(type) }]);
      if (rows.length < turnsAtOnce) break;
      after = rows.at(-1)!.seq;
    }
    turned = { upTo, of };
    return of;
  }

  return {
    note(rows) {
      for (const { memoryId, doc, status } of rows)
        if (status === 'erased') docsOf.set(memoryId, (docsOf.get(memoryId) ?? new Set()).add(doc));
    },
    async isMissed(reader, columns, point, standings) {
      if (docsOf.size === 0) return false;
      const head = (await reader.headMoment(bank))?.seq ?? 0;
      const of = await turnsUpTo(reader, head);
      for (const [memoryId, docs] of docsOf) {
        const own = of.get(memoryId) ?? [];
        const erased = own.find(({ seq, status }) => seq > point.seq && status === spanStatus.erased);
        const turn = own.findLast(({ seq }) => seq <= point.seq);
        const written = [...docs].some(
          (doc) => columns.bornAt[doc]! <= point.seq && columns.bornAt[doc]! > (turn?.seq ?? 0),
        );
        if (!erased || (!turn && !written)) continue;
        // What is held back stays so, whatever is written to it.
        const status = turn && (!written || turn.status === spanStatus.quarantined) ? turn.status : spanStatus.current;
        if (status === spanStatus.erased) continue;
        for (const doc of docs) if (stood(columns, point, doc, status, standings)) return true;
      }
      return false;
    },
    async wasBeside(reader, { bornAt, before, after }, { seq }) {
      if (docsOf.size === 0) return false;
      const of = await turnsUpTo(reader, (await reader.headMoment(bank))?.seq ?? 0);
      for (const [memoryId, docs] of docsOf) {
        const isSince = of.get(memoryId)?.some((turn) => turn.seq > seq && turn.status === spanStatus.erased) ?? false;
        if (!isSince) continue;
        for (const doc of docs) {
          if (bornAt[doc]! > seq) continue;
          const next = after[doc]!;
          if (before[doc]! >= 0 || (next >= 0 && bornAt[next]! <= seq)) return true;
        }
      }
      return false;
    },
  };
}

function statusAfter(type: string): number {
  if (type === 'MemoryErased') return spanStatus.erased;
  return isTurnType(type) ? spanStatus[turns[type].status] : spanStatus.current;
}

function isTurnType(type: string): type is keyof typeof turns {
  return Object.hasOwn(turns, type);
}

/** Whether a doc, of a memory that stood so, was among what is asked for. */
function stood(columns: Columns, point: Point, doc: number, status: number, asked: ReadonlySet<number>): boolean {
  const { seq, from, to } = point;
  if (columns.bornAt[doc]! > seq) return false;
  let covered = false;
  for (let at = columns.newestSpan[doc]!; at >= 0; at = columns.earlierSpan[at]!) {
    if (columns.seqFrom[at]! > seq || columns.seqTo[at]! <= seq) continue;
    covered = true;
    if (aside[status]) return asked.has(aside[status]!);
    const holds = columns.validFrom[at]! < to && columns.validTo[at]! > from;
    if (holds && (asked.has(standing.current) || asked.has(standing.expired))) return true;
    if (columns.validTo[at]! <= from && asked.has(standing.ended)) return true;
  }
  return !covered && asked.has(standing.closed);
}
