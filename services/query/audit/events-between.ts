import type { ChangeRow, VersionRow } from '#views/rows.js';
import { firstBornAfter } from '../bank-index/columns.js';
import type { View } from '../basis/open-view.js';
import { versionsOf } from '../recall/versions-of.js';

export interface Between {
  /** Moments after this one … */
  readonly after: number;
  /** … up to this one, inclusive. */
  readonly upTo: number;
  readonly memoryId?: string;
  /** Only these versions, ascending, and no turns: what a version has to be filtered by, a turn has not. */
  readonly docs?: readonly number[];
  readonly atOnce: number;
}

export type MemoryRowEvent = ChangeRow | VersionRow;

/** Events of memories between two moments of the bank, in order. */
export async function* eventsBetween(view: View, between: Between): AsyncGenerator<MemoryRowEvent> {
  const { after, upTo, memoryId } = between;
  if (memoryId !== undefined) {
    const docs = between.docs && new Set(between.docs);
    for (const event of await view.reader.changesOf(view.bank, memoryId)) {
      if (event.seq <= after || event.seq > upTo) continue;
      if (!docs || (event.version !== undefined && docs.has((event as VersionRow).doc))) yield event;
    }
    return;
  }
  const versions = versionsBetween(view, between)[Symbol.asyncIterator]();
  const turns = between.docs ? none() : turnsBetween(view, between)[Symbol.asyncIterator]();
  let version = await versions.next();
  let turn = await turns.next();
  while (!version.done || !turn.done) {
    if (!version.done && (turn.done || version.value.seq < turn.value.seq)) {
      yield version.value;
      version = await versions.next();
    } else if (!turn.done) {
      yield turn.value;
      turn = await turns.next();
    }
  }
}

async function* versionsBetween(view: View, { after, upTo, docs, atOnce }: Between): AsyncGenerator<VersionRow> {
  const { columns } = view.index;
  const first = firstBornAfter(columns, after);
  const listed = docs?.filter((doc) => doc >= first);
  const count = listed?.length ?? columns.docs - first;
  for (let from = 0; from < count; from += atOnce) {
    const size = Math.min(atOnce, count - from);
    const part = listed?.slice(from, from + size) ?? Array.from({ length: size }, (_, at) => first + from + at);
    for (const row of await versionsOf(view, part)) {
      if (row.seq > upTo) return;
      if (row.seq > after) yield row;
    }
  }
}

async function* turnsBetween(view: View, { after, upTo, atOnce }: Between): AsyncGenerator<ChangeRow> {
  for (let last = after; ; ) {
    const rows = await view.reader.turnsBetween(view.bank, last, upTo, atOnce);
    yield* rows;
    if (rows.length < atOnce) return;
    last = rows.at(-1)!.seq;
  }
}

async function* none(): AsyncGenerator<ChangeRow> {}
