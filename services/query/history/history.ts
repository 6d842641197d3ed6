import type { z } from 'zod';
import type { Caller } from '#contract/caller.js';
import type { HistoryInput, HistoryOutput, historyEntry } from '#contract/history.js';
import type { ChangeRow, VersionRow } from '#views/rows.js';
import { decodeCursor, encodeCursor } from '../audit/cursor.js';
import type { BankIndexes } from '../bank-index/bank-indexes.js';
import { standing } from '../bank-index/visibility.js';
import { alteredEntriesNote } from '../basis/altered.js';
import { type HeldBack, heldBack, heldBackNote, heldBackSinceNote } from '../basis/held-back.js';
import { insistOnAll, openView, type View } from '../basis/open-view.js';
import type { QueryDeps } from '../query-deps.js';
import { contentOf, metadataOf, openVersions, openWords } from '../recall/open-version.js';
import { given, iso, statusOf } from '../recall/to-item.js';
import { changedFields, type OpenedVersion } from './changed-fields.js';
import { happened } from './event-names.js';
import { everHeld } from './ever-held.js';
import { findMemory } from './find-memory.js';
import { amongChanges, insistOnAuditor, leftNote, servedEntries, stretchOf } from './served-entries.js';
import { wordsOf } from './words-of.js';

type Entry = z.infer<typeof historyEntry>;

/** A span as the index holds it, times in milliseconds. */
interface Span {
  readonly validFrom: number;
  readonly validTo: number;
  readonly seqTo: number;
  readonly systemTo: number;
}

/** What entries are made of: the spans that the basis knows, by the doc and by the moment that they are of. */
interface Told {
  readonly view: View;
  readonly spansOf: ReadonlyMap<number, readonly Span[]>;
  readonly systemFrom: ReadonlyMap<number, number>;
  /** In order. */
  readonly erasures: readonly ChangeRow[];
  readonly held: HeldBack;
}

const noneHeldNote =
  'None of its versions was true at the time that was asked about: without valid_at and valid_during all are shown.';

/**
 * Everything that happened to a memory up to the basis, oldest first: what was said, by whom, why, and what it changed. Empty where the
 * memory was not known yet. With a `limit` the latest entries come first, and `next` leads to those before.
 * @throws HindsightError as findMemory, resolveBasis and, with `include_reads`, servedEntries do · forbidden
 */
export async function history(
  deps: QueryDeps,
  indexes: BankIndexes,
  input: HistoryInput,
  caller: Caller,
): Promise<HistoryOutput> {
  const cursor = input.cursor === undefined ? undefined : decodeCursor(input.cursor, input);
  if (input.include_reads) {
    insistOnAuditor(caller);
    await deps.catchUpRecalls?.();
  }
  const view = await openView(deps, indexes, cursor ? { basis: cursor.basis } : input, caller);
  const memoryId = await findMemory(view, input);
  const held = everHeld(view, input);
  const all = await view.reader.changesOf(view.bank, memoryId);
  const changes = all.filter((change) => change.seq <= view.seq);
  if (changes.length === 0) insistOnAll(view);
  const told = toldOf(view, changes, caller);
  const versions = changes.filter(isVersion);
  const meant = changes.filter((change) => !isVersion(change) || !held || held(change.doc));
  const page = pageOf(meant, input.limit, cursor?.after);
  const before = new Map(versions.map((version, at) => [version.doc, versions[at - 1]]));
  const latest = versions.at(-1);
  // Of a page what it shows, what that is held against, and whose key the memory's is.
  const read = page.flatMap((change) => (isVersion(change) ? [change, before.get(change.doc)] : [])).concat(latest);
  const opened = await openAll(deps, view, [...new Set(read.filter((each) => each !== undefined))]);
  const entries: Entry[] = [];
  for (const change of page) {
    if (isVersion(change)) {
      const former = before.get(change.doc);
      entries.push(versionEntry(told, change, opened.get(change.doc), former && opened.get(former.doc)));
    } else entries.push(await changeEntry(deps, told, change));
  }
  const earliest = page[0];
  const next =
    earliest && meant[0] !== earliest ? encodeCursor({ basis: view.basis, after: earliest.seq }, input) : undefined;
  const later = cursor && meant.find(({ seq }) => seq >= cursor.after);
  const docOf = new Map(versions.map(({ version, doc }) => [version, doc]));
  const isMeant = (version: number) => !held || held(docOf.get(version) ?? -1);
  const stretch = stretchOf(page, next === undefined, later);
  const reads = input.include_reads
    ? await servedEntries(deps, view, { memoryId, input, stretch }, isMeant, caller)
    : { entries: [], left: 0 };
  // An erasure leaves what it was and when, and takes all that it said.
  const altered = changes.length > 0 && all.some(({ type, seq }) => type === 'MemoryErased' && seq > view.seq);
  const isHeldBack = changes.some((change) => isVersion(change) && !told.held.mayShow(change.doc));
  const isWithheld = changes.some((change) => isVersion(change) && told.held.isWithheld(change.doc));
  const notes = [
    ...view.notes,
    ...(altered ? [alteredEntriesNote] : []),
    ...(isHeldBack ? [isWithheld ? heldBackSinceNote : heldBackNote] : []),
    ...(changes.length === 0 ? ['This memory was not known yet at the time that was asked about.'] : []),
    ...(reads.left > 0 ? [leftNote(reads.left)] : []),
    ...(versions.length > 0 && !meant.some(isVersion) ? [noneHeldNote] : []),
  ];
  return {
    memory_id: memoryId,
    ...given('key', latest && opened.get(latest.doc)?.content.key),
    ...given('status', changes.length === 0 ? undefined : memoryStatus(view, changes)),
    entries: amongChanges(entries, reads.entries),
    ...given('next', next),
    basis: view.basis,
    ...(altered ? { altered_by_erasure: true } : {}),
    ...(isWithheld ? { altered_by_quarantine: true } : {}),
    ...(notes.length > 0 ? { notes } : {}),
  };
}

/** The spans are those of the index: it has read them all, and a slot may have thousands. */
function toldOf(view: View, changes: readonly (ChangeRow | VersionRow)[], caller: Caller): Told {
  const { columns } = view.index;
  const spansOf = new Map<number, Span[]>();
  const systemFrom = new Map<number, number>();
  for (const change of changes) {
    if (!isVersion(change)) continue;
    const own: Span[] = [];
    for (let at = columns.newestSpan[change.doc] ?? -1; at >= 0; at = columns.earlierSpan[at]!) {
      const seqFrom = columns.seqFrom[at]!;
      if (seqFrom > view.seq) continue;
      systemFrom.set(seqFrom, columns.systemFrom[at]!);
      const [validFrom, validTo] = [columns.validFrom[at]!, columns.validTo[at]!];
      own.push({ validFrom, validTo, seqTo: columns.seqTo[at]!, systemTo: columns.systemTo[at]! });
    }
    spansOf.set(change.doc, own);
  }
  const erasures = changes.filter(({ type }) => type === 'MemoryErased');
  return { view, spansOf, systemFrom, erasures, held: heldBack(view, caller) };
}

/** The latest so many of what came before a moment; all of it where nothing is said. */
function pageOf<C extends ChangeRow>(changes: readonly C[], limit = Infinity, before = Infinity): readonly C[] {
  const until = before === Infinity ? changes : changes.filter(({ seq }) => seq < before);
  return until.slice(Math.max(0, until.length - limit));
}

async function openAll(
  deps: QueryDeps,
  { ledger, bank }: View,
  versions: readonly VersionRow[],
): Promise<Map<number, OpenedVersion>> {
  const contents = await openVersions(deps, ledger, bank, versions);
  return new Map(
    contents.flatMap((content, at) => (content ? [[versions[at]!.doc, { row: versions[at]!, content }] as const] : [])),
  );
}

export function isVersion(change: ChangeRow | VersionRow): change is VersionRow {
  return change.version !== undefined;
}

function versionEntry(
  told: Told,
  row: VersionRow,
  version: OpenedVersion | undefined,
  before: OpenedVersion | undefined,
): Entry {
  const { view, spansOf } = told;
  const own = spansOf.get(row.doc) ?? [];
  const known = own.filter((span) => span.seqTo > view.seq).sort((one, other) => one.validFrom - other.validFrom);
  return {
    event: happened(row.type),
    version: row.version,
    kind: row.kind,
    origin: row.origin,
    ...(version && told.held.mayShow(row.doc) ? said(version) : {}),
    status: statusOf(view.visibility.standing[row.doc]),
    ...given('quarantined_at', told.held.since(row.doc)),
    recorded_at: row.recordedAt,
    ...given('occurred_at', row.occurredAt),
    valid: known.map(({ validFrom, validTo }) => ({
      from: iso(validFrom),
      ...(validTo === Infinity ? {} : { to: iso(validTo) }),
    })),
    system_from: systemTimeOf(told, row),
    ...given('system_to', believedUntil(told, row, known.length === 0 && own.length > 0 ? lastKnown(own) : undefined)),
    who: whoOf(row),
    ...(before && version ? { changed: changedFields(before, version) } : {}),
  };
}

/** Until when the ledger said so: until the last of its spans was closed, or until it was erased, which closes none. */
function believedUntil(told: Told, row: VersionRow, closed: string | undefined): string | undefined {
  const erasure = told.erasures.find(({ seq }) => seq > row.seq);
  if (!erasure) return closed;
  const erased = systemTimeOf(told, erasure);
  return closed !== undefined && closed < erased ? closed : erased;
}

/** When the last of a version's spans was closed. */
function lastKnown(spans: readonly Span[]): string {
  return iso(spans.reduce((latest, { systemTo }) => Math.max(latest, systemTo), 0));
}

function said({ content }: OpenedVersion): Pick<Entry, 'content' | 'tags' | 'metadata'> {
  return { content: contentOf(content), tags: content.tags ?? [], ...given('metadata', metadataOf(content)) };
}

async function changeEntry(deps: QueryDeps, told: Told, change: ChangeRow): Promise<Entry> {
  const { ledger, bank } = told.view;
  const content = await openWords(deps, ledger, bank, change);
  return {
    event: happened(change.type),
    recorded_at: change.recordedAt,
    system_from: systemTimeOf(told, change),
    who: whoOf(change),
    ...ratingOf(told, change),
    ...given('why', wordsOf(content)),
  };
}

/** Which version was rated, and how it fared. */
function ratingOf({ view }: Told, { type, memoryId, seq }: ChangeRow): Pick<Entry, 'version' | 'outcome'> {
  const rating = type === 'MemoryRated' ? view.index.ratings.givenAt(memoryId, seq) : undefined;
  return rating ? { version: rating.version, outcome: rating.outcome } : {};
}

/** System time of an event: that of the spans which it opened; an event that opened none keeps its recorded time. */
function systemTimeOf({ systemFrom }: Told, change: ChangeRow): string {
  const from = systemFrom.get(change.seq);
  return from === undefined ? change.recordedAt : iso(from);
}

function whoOf({ principal, agent, tool }: ChangeRow): Entry['who'] {
  return { principal, ...given('agent', agent), ...given('tool', tool) };
}

/** How the memory stands: by the version that holds at the basis, else by its latest. */
function memoryStatus(view: View, changes: readonly (ChangeRow | VersionRow)[]): HistoryOutput['status'] {
  const codes = new Set(changes.filter(isVersion).map(({ doc }) => view.visibility.standing[doc]));
  const deciding = [
    standing.current,
    standing.expired,
    standing.archived,
    standing.quarantined,
    standing.retracted,
    standing.erased,
  ];
  for (const code of deciding) if (codes.has(code)) return statusOf(code);
  const latest = changes.filter(isVersion).at(-1);
  return statusOf(latest && view.visibility.standing[latest.doc]);
}
