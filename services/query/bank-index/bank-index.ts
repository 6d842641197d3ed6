import type { ViewsReader } from '#views/reader.js';
import type { MomentRow } from '#views/rows.js';
import { type Columns, emptyColumns, putDoc, putSpan } from './columns.js';
import { type TermReader, termReader } from './term-postings.js';
import { type Point, type Visibility, visibilityAt } from './visibility.js';

/** Answers kept per bank: today's, and a few that auditors or confirm tokens come back to. */
const keptVisibilities = 4;

/** What search needs of one bank, in memory; what it holds of a moment never changes, it only grows. */
export interface BankIndex {
  readonly bank: string;
  readonly columns: Columns;
  readonly terms: TermReader;
  /** Reads what was projected since. @returns the bank's last moment, as of which everything is here */
  refresh(reader: ViewsReader): Promise<MomentRow | undefined>;
  visibility(point: Point): Visibility;
}

export function emptyBankIndex(bank: string): BankIndex {
  const columns = emptyColumns();
  let loadedSeq = 0;
  let refreshing: Promise<unknown> = Promise.resolve();
  let visibilities: Visibility[] = [];

  const load = async (reader: ViewsReader): Promise<MomentRow | undefined> => {
    // The moment first: what is read after it is at least as new, and what is newer is not visible at it.
    const head = await reader.headMoment(bank);
    if (!head || head.seq === loadedSeq) return head;
    for (const row of await reader.docsFrom(bank, columns.docs)) putDoc(columns, row);
    for (const row of await reader.spansChangedAfter(bank, loadedSeq)) putSpan(columns, row);
    loadedSeq = head.seq;
    return head;
  };

  return {
    bank,
    columns,
    terms: termReader(bank),
    refresh(reader) {
      const mine = refreshing.then(() => load(reader));
      refreshing = mine.catch(() => undefined);
      return mine;
    },
    visibility(point) {
      const known = visibilities.find((each) => answers(each, point)) ?? visibilityAt(columns, point);
      visibilities = [known, ...visibilities.filter((each) => each !== known)].slice(0, keptVisibilities);
      return known;
    },
  };
}

function answers({ point, since, until }: Visibility, asked: Point): boolean {
  if (point.seq !== asked.seq) return false;
  if (point.from === asked.from && point.to === asked.to) return true;
  const isMoment = point.to === point.from + 1 && asked.to === asked.from + 1;
  return isMoment && since <= asked.from && asked.from < until;
}
