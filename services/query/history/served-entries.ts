import type { z } from 'zod';
import type { Caller } from '#contract/caller.js';
import { HindsightError } from '#contract/errors.js';
import type { HistoryInput, historyEntry } from '#contract/history.js';
import { canonicalJson } from '#events/canonical.js';
import type { ChangeRow, RecallRow } from '#views/rows.js';
import type { View } from '../basis/open-view.js';
import type { QueryDeps } from '../query-deps.js';
import { given, iso } from '../recall/to-item.js';

type Entry = z.infer<typeof historyEntry>;

/** What is told of the answers that a memory was served in. */
export interface ServedEntries {
  /** Oldest first. */
  readonly entries: readonly Entry[];
  /** How many earlier ones of the same stretch of time are left out. */
  readonly left: number;
}

/** The stretch of history that is told: between the first entry of a page and the first of the page after it. ISO 8601. */
export interface Stretch {
  /** Inclusive; undefined where nothing was told before. */
  readonly from: string | undefined;
  /** Exclusive; undefined where nothing is told after. */
  readonly to: string | undefined;
}

/** Who was shown what is the auditors' to know. @throws HindsightError forbidden */
export function insistOnAuditor({ roles }: Pick<Caller, 'roles'>): void {
  if (roles.includes('auditor')) return;
  throw new HindsightError(
    'forbidden',
    'include_reads needs the role auditor: it tells what others were shown. Leave it out, or ask with a token that has that role.',
    { parameter: 'include_reads', held: roles },
  );
}

/**
 * The answers that held a memory, at most `limit` of them, the latest. As an audit of what was shown it is put on record before it is
 * told. It is told as far as the basis knows: unlike versions, reads may be left out of it later, since they go with what they were about.
 * @param isMeant whether a version is one that is asked about
 * @throws HindsightError what the ledger throws when the record cannot be written: then nothing is told
 */
export async function servedEntries(
  deps: QueryDeps,
  view: View,
  asked: { readonly memoryId: string; readonly input: HistoryInput; readonly stretch: Stretch },
  isMeant: (version: number) => boolean,
  caller: Caller,
): Promise<ServedEntries> {
  const { memoryId, input, stretch } = asked;
  const { limit = Infinity } = input;
  const isOfThePast = input.as_of !== undefined || input.basis !== undefined || input.cursor !== undefined;
  const known = isOfThePast ? iso(view.point.at + 1) : undefined;
  const served = (await view.reader.recallsServing(view.bank, [memoryId])).filter(
    ({ recordedAt }) =>
      (stretch.from === undefined || recordedAt >= stretch.from) &&
      (stretch.to === undefined || recordedAt < stretch.to) &&
      (known === undefined || recordedAt < known),
  );
  const all = served.flatMap((recall) => entryOf(recall, memoryId, isMeant));
  const entries = all.slice(Math.max(0, all.length - limit));
  await deps.recordAudit(
    {
      ask: 'shown',
      rows: entries.length,
      about: memoryId,
      parameters: canonicalJson({ ask: 'shown', include_reads: true, memory_id: memoryId, basis: view.basis }),
      subjects: [],
    },
    caller,
  );
  return { entries, left: all.length - entries.length };
}

function entryOf(recall: RecallRow, memoryId: string, isMeant: (version: number) => boolean): Entry[] {
  const item = recall.items.find((each) => each.memoryId === memoryId);
  if (!item || !isMeant(item.version)) return [];
  const { recordedAt, principal, agent, tool, recallId } = recall;
  return [
    {
      event: 'served',
      version: item.version,
      score: item.score,
      recall_id: recallId,
      recorded_at: recordedAt,
      system_from: recordedAt,
      who: { principal, ...given('agent', agent), ...given('tool', tool) },
    },
  ];
}

/** Reads among changes, which keep their order: each before the first change that was recorded later. */
export function amongChanges(changes: readonly Entry[], reads: readonly Entry[]): Entry[] {
  const rest = [...reads];
  const told: Entry[] = [];
  for (const change of changes) {
    while (rest[0] && rest[0].recorded_at < change.recorded_at) told.push(rest.shift()!);
    told.push(change);
  }
  return [...told, ...rest];
}

export function stretchOf(page: readonly ChangeRow[], isWhole: boolean, later: ChangeRow | undefined): Stretch {
  return { from: isWhole ? undefined : page[0]?.recordedAt, to: later?.recordedAt };
}

/** Where the rest of them is told. */
export function leftNote(left: number): string {
  return `Earlier reads of this stretch that are left out: ${left}. memory_audit with ask shown and memory_id lists them all.`;
}
