import type { z } from 'zod';
import type { Caller } from '#contract/caller.js';
import { HindsightError } from '#contract/errors.js';
import type { HistoryInput, HistoryOutput, historyEntry } from '#contract/history.js';
import type { ChangeRow, SpanRow, VersionRow } from '#views/rows.js';
import type { BankIndexes } from '../bank-index/bank-indexes.js';
import { standing } from '../bank-index/visibility.js';
import { insistOnAll, openView, type View } from '../basis/open-view.js';
import type { QueryDeps } from '../query-deps.js';
import { contentOf, metadataOf, openRowBox, openVersion } from '../recall/open-version.js';
import { given, iso, statusOf } from '../recall/to-item.js';
import { changedFields, type OpenedVersion } from './changed-fields.js';
import { findMemory } from './find-memory.js';

type Entry = z.infer<typeof historyEntry>;

/**
 * Everything that happened to a memory up to the basis, oldest first: what was said, by whom, why, and what it changed.
 * @throws HindsightError as findMemory and resolveBasis do; memory_not_found also when it was not known yet at the basis
 */
export async function history(
  deps: QueryDeps,
  indexes: BankIndexes,
  input: HistoryInput,
  caller: Caller,
): Promise<HistoryOutput> {
  const view = await openView(deps, indexes, input, caller);
  const memoryId = await findMemory(view, input);
  const changes = (await view.reader.changesOf(view.bank, memoryId)).filter((change) => change.seq <= view.seq);
  const spans = (await view.reader.spansOf(view.bank, memoryId)).filter((span) => span.seqFrom <= view.seq);
  if (changes.length === 0) {
    insistOnAll(view);
    throw new HindsightError('memory_not_found', 'This memory was not known yet at the time that was asked about.');
  }
  const entries: Entry[] = [];
  let before: OpenedVersion | undefined;
  for (const change of changes) {
    if (!isVersion(change)) {
      entries.push(await changeEntry(deps, view, change, spans));
      continue;
    }
    const version = { row: change, content: await openVersion(deps.vault, view.ledger, view.bank, change) };
    entries.push(versionEntry(view, version, before, spans));
    before = version;
  }
  return {
    memory_id: memoryId,
    ...given('key', before?.content.key),
    status: memoryStatus(view, spans, before),
    entries,
    basis: view.basis,
    ...(view.notes.length > 0 ? { notes: [...view.notes] } : {}),
  };
}

function isVersion(change: ChangeRow | VersionRow): change is VersionRow {
  return change.version !== undefined;
}

function versionEntry(
  view: View,
  version: OpenedVersion,
  before: OpenedVersion | undefined,
  spans: readonly SpanRow[],
): Entry {
  const { row, content } = version;
  const own = spans.filter((span) => span.doc === row.doc);
  const known = own.filter((span) => span.seqTo > view.seq).sort((one, other) => one.validFrom - other.validFrom);
  const lastKnown = own.reduce((latest, span) => Math.max(latest, Date.parse(span.systemTo ?? iso(0))), 0);
  return {
    event: before ? 'revised' : 'recorded',
    version: row.version,
    kind: row.kind,
    origin: row.origin,
    content: contentOf(content),
    tags: content.tags ?? [],
    ...given('metadata', metadataOf(content)),
    status: statusOf(view.visibility.standing[row.doc]),
    recorded_at: row.recordedAt,
    ...given('occurred_at', row.occurredAt),
    valid: known.map(({ validFrom, validTo }) => ({
      from: iso(validFrom),
      ...(validTo === Infinity ? {} : { to: iso(validTo) }),
    })),
    system_from: systemTimeOf(row, spans),
    ...(known.length === 0 && own.length > 0 ? { system_to: iso(lastKnown) } : {}),
    who: whoOf(row),
    ...(before ? { changed: changedFields(before, version) } : {}),
  };
}

async function changeEntry(deps: QueryDeps, view: View, change: ChangeRow, spans: readonly SpanRow[]): Promise<Entry> {
  const content = change.box ? await openRowBox(deps.vault, view.ledger, view.bank, change, change.box) : {};
  return {
    event: change.type === 'MemoryForgotten' ? 'forgotten' : 'restored',
    recorded_at: change.recordedAt,
    system_from: systemTimeOf(change, spans),
    who: whoOf(change),
    ...(typeof content.reason === 'string' ? { why: content.reason } : {}),
  };
}

/** System time of an event: that of the spans which it opened; an event that opened none keeps its recorded time. */
function systemTimeOf(change: ChangeRow, spans: readonly SpanRow[]): string {
  return spans.find((span) => span.seqFrom === change.seq)?.systemFrom ?? change.recordedAt;
}

function whoOf({ principal, agent, tool }: ChangeRow): Entry['who'] {
  return { principal, ...given('agent', agent), ...given('tool', tool) };
}

/** How the memory stands: by the version that holds at the basis, else by its latest. */
function memoryStatus(
  view: View,
  spans: readonly SpanRow[],
  latest: OpenedVersion | undefined,
): HistoryOutput['status'] {
  const codes = spans.map((span) => view.visibility.standing[span.doc]);
  for (const code of [standing.current, standing.expired, standing.retracted])
    if (codes.includes(code)) return statusOf(code);
  return statusOf(latest && view.visibility.standing[latest.row.doc]);
}
