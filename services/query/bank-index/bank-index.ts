import type { Vault } from '#sealing/vault.js';
import type { VectorSpace } from '#understanding/embeddings/embedder.js';
import type { ViewsReader } from '#views/reader.js';
import type { ChangeRow, MomentRow } from '#views/rows.js';
import { emptyBankVectors, type LoadedVectors, type OpenedBefore } from './bank-vectors.js';
import { type Columns, emptyColumns, fillBornAt, putDoc, putSpan } from './columns.js';
import { type Erased, erasedOf } from './erased.js';
import { type BankFindings, bankFindings } from './findings.js';
import { type BankRatings, bankRatings } from './ratings.js';
import { type TermReader, termReader } from './term-postings.js';
import { advanced, type Point, type Visibility, visibilityAt } from './visibility.js';

/** Answers kept per bank: today's, and a few that auditors or confirm tokens come back to. */
const keptVisibilities = 4;

/** Vectors of a bank in one space that were opened already. */
export interface OpenedVectors {
  readonly space: VectorSpace;
  readonly opened: OpenedBefore;
}

/** What search needs of one bank, in memory; what it holds of a moment never changes, it only grows. */
export interface BankIndex {
  readonly bank: string;
  readonly columns: Columns;
  readonly terms: TermReader;
  readonly erased: Erased;
  readonly ratings: BankRatings;
  readonly findings: BankFindings;
  /** The event that says how the bank is recalled from at a moment; undefined where none does. */
  configuredAt(seq: number): ChangeRow | undefined;
  /** Vectors of one space: those of the space that was asked for last are held. */
  vectors(space: VectorSpace): LoadedVectors;
  /** Those that are held, for the index that takes the place of this one. */
  readonly openedVectors: OpenedVectors | undefined;
  /** Reads what was projected since. @returns the bank's last moment, as of which everything is here */
  refresh(reader: ViewsReader): Promise<MomentRow | undefined>;
  visibility(point: Point): Visibility;
}

/** @param vault that opens vectors @param before those of the index in whose place this one comes */
export function emptyBankIndex(bank: string, vault: Vault, before?: OpenedVectors): BankIndex {
  const columns = emptyColumns();
  const erased = erasedOf(bank);
  const ratings = bankRatings();
  const findings = bankFindings(columns);
  const configured: ChangeRow[] = [];
  let loadedSeq = 0;
  let refreshing: Promise<unknown> = Promise.resolve();
  let visibilities: Visibility[] = [];
  let vectors: { readonly space: VectorSpace; readonly loaded: LoadedVectors } | undefined;
  let former = before;
  let lastLoad: { readonly from: number; readonly to: number; readonly docs: ReadonlySet<number> } | undefined;

  const load = async (reader: ViewsReader): Promise<MomentRow | undefined> => {
    // The moment first: what is read after it is at least as new, and what is newer is not visible at it.
    const head = await reader.headMoment(bank);
    if (!head || head.seq === loadedSeq) return head;
    const known = columns.docs;
    for (const row of await reader.docsFrom(bank, known)) putDoc(columns, row);
    const changed = await reader.spansChangedAfter(bank, loadedSeq);
    for (const row of changed) putSpan(columns, row);
    fillBornAt(columns, known);
    erased.note(changed);
    ratings.note(await reader.ratingsAfter(bank, loadedSeq));
    findings.note(await reader.findingsAfter(bank, loadedSeq));
    const last = configured.at(-1)?.seq ?? 0;
    for (const row of await reader.bankEvents(bank, loadedSeq))
      if (row.type === 'BankConfigured' && row.seq > last) configured.push(row);
    lastLoad = { from: loadedSeq, to: head.seq, docs: new Set(changed.map(({ doc }) => doc)) };
    loadedSeq = head.seq;
    return head;
  };

  /** After a write, all but what it changed stands as it did. */
  const fromLast = (point: Point): Visibility | undefined => {
    if (!lastLoad || lastLoad.from === 0 || lastLoad.to !== point.seq || !isMoment(point)) return undefined;
    const { from, docs } = lastLoad;
    const before = visibilities.find((each) => each.point.seq === from && holdsAt(each, point));
    return before && advanced(before, columns, point, docs);
  };

  return {
    bank,
    columns,
    terms: termReader(bank),
    erased,
    ratings,
    findings,
    configuredAt: (seq) => configured.findLast((row) => row.seq <= seq),
    vectors(space) {
      if (!vectors || !isSame(vectors.space, space)) {
        const opened = former && isSame(former.space, space) ? former.opened : undefined;
        vectors = { space, loaded: emptyBankVectors(bank, space, vault, opened) };
        former = undefined;
      }
      return vectors.loaded;
    },
    get openedVectors() {
      return vectors && { space: vectors.space, opened: vectors.loaded.opened };
    },
    refresh(reader) {
      const mine = refreshing.then(() => load(reader));
      refreshing = mine.catch(() => undefined);
      return mine;
    },
    visibility(point) {
      const known =
        visibilities.find((each) => answers(each, point)) ?? fromLast(point) ?? visibilityAt(columns, point);
      visibilities = [known, ...visibilities.filter((each) => each !== known)].slice(0, keptVisibilities);
      return known;
    },
  };
}

function isSame(one: VectorSpace, other: VectorSpace): boolean {
  return one.model === other.model && one.dimensions === other.dimensions;
}

function answers({ point, since, until }: Visibility, asked: Point): boolean {
  if (point.seq !== asked.seq) return false;
  if (point.from === asked.from && point.to === asked.to) return true;
  return isMoment(asked) && holdsAt({ point, since, until }, asked);
}

function holdsAt({ point, since, until }: Pick<Visibility, 'point' | 'since' | 'until'>, asked: Point): boolean {
  return isMoment(point) && since <= asked.from && asked.from < until;
}

function isMoment({ from, to }: Point): boolean {
  return to === from + 1;
}
