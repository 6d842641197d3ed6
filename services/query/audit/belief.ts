import type { AuditInput, AuditRow, Reading } from '#contract/audit.js';
import type { Caller } from '#contract/caller.js';
import { HindsightError } from '#contract/errors.js';
import type { MemoryItem } from '#contract/memory-item.js';
import type { SearchInput, SearchOutput } from '#contract/search.js';
import { parseTime } from '#contract/time.js';
import { heldBack } from '../basis/held-back.js';
import { openView, type View } from '../basis/open-view.js';
import { checkQuery } from '../recall/asked.js';
import { search } from '../recall/search.js';
import { given, iso } from '../recall/to-item.js';
import { languageOf } from '../words/language.js';
import type { Asked } from './asked-rows.js';
import type { AuditParts } from './audit.js';
import { type Difference, sentencesOf, titlesOf } from './belief-sentences.js';
import type { MemoryRowEvent } from './events-between.js';
import { isVersion, rowOfEvent } from './what-happened.js';

/** Items of each reading: what somebody reads side by side. */
const usualItems = 3;
const mostItems = 100;
const keywordsNote =
  'The basis that was given rests on no embeddings: what the ledger would have answered is read by keywords, the other two readings by meaning as well.';

/**
 * A question about the past, read in three ways: what is true now; what is known today to have been true at that moment; and what this
 * ledger would have answered then. Where the last two differ, something was recorded in between: which event, by whom and why is said in
 * sentences made from columns, in the language of the question.
 */
export async function belief(parts: AuditParts, input: AuditInput, caller: Caller) {
  const { deps, indexes, latencies } = parts;
  const { query, at } = required(input);
  // With vectors, as a search opens it: a basis without them would be answered by keywords alone.
  const needs = { vectors: true };
  const view = await openView(deps, indexes, {}, caller, needs);
  const past = await openView(deps, indexes, knownThen(input, at), caller, needs);
  const { kinds, session_id, task_id, tags, subject, include } = input;
  const filters = {
    ...given('kinds', kinds),
    ...given('session_id', session_id),
    ...given('task_id', task_id),
    ...given('tags', tags),
    ...given('subject', subject),
    ...given('include', include?.filter((status) => status !== 'erased') as SearchInput['include']),
    top_k: Math.min(input.limit ?? usualItems, mostItems),
  };
  const read = (of: View, valid_at?: string) =>
    search(deps, indexes, latencies, { query, ...filters, basis: of.basis, ...given('valid_at', valid_at) }, caller);
  const answers = { now: await read(view), known: await read(view, at), told: await read(past, at) };
  const language = languageOf(query);
  const titles = titlesOf(language, at, iso(past.point.at));
  const held = heldBack(view, caller);
  const asked: Asked = { deps, view, input, caller, held, after: -1, limit: mostItems };
  const differences = await differencesOf(asked, past.seq, answers);
  const events = differences.flatMap(({ event }) => event ?? []);
  const rows: AuditRow[] = await Promise.all(events.map((event) => rowOfEvent(asked, event)));
  const rowOf = new Map(events.map((event, place) => [event, rows[place]!]));
  const reading = (title: string, answer: SearchOutput, of: View, validAt: string): Reading => ({
    title,
    items: answer.items,
    basis: answer.basis,
    as_of: iso(of.point.at),
    valid_at: validAt,
  });
  return {
    view,
    rows,
    readings: {
      true_now: reading(titles.now, answers.now, view, iso(view.point.at)),
      true_then: reading(titles.known, answers.known, view, at),
      answered_then: reading(titles.told, answers.told, past, at),
    },
    because: sentencesOf(
      language,
      { listed: { now: answers.now.items, known: answers.known.items, told: answers.told.items }, at, differences },
      (event) => rowOf.get(event),
    ),
    ...(Object.values(answers).some((answer) => answer.altered_by_erasure) ? { altered_by_erasure: true } : {}),
    ...(Object.values(answers).some((answer) => answer.altered_by_quarantine) ? { altered_by_quarantine: true } : {}),
    notes: [...new Set([...notesOf(view, past, input), ...Object.values(answers).flatMap(({ notes = [] }) => notes)])],
    record: { recalls: Object.values(answers).map((answer) => answer.recall_id) },
  };
}

/** `valid_at` is what the other asks call it. */
function required({ query, at: given, valid_at }: AuditInput): { query: string; at: string } {
  if (given !== undefined && valid_at !== undefined)
    throw new HindsightError('invalid_input', 'Give either at or valid_at: of a belief they mean the same.', {
      parameter: 'valid_at',
    });
  const at = given ?? valid_at;
  if (query === undefined) throw missing('query', 'the question, in words');
  checkQuery(query);
  if (at === undefined) throw missing('at', 'the moment in the past that the question is about');
  return { query, at: parseTime(given === undefined ? 'valid_at' : 'at', at) };
}

function missing(parameter: string, what: string): HindsightError {
  return new HindsightError('invalid_input', `${parameter} is missing: belief takes ${what}.`, { parameter });
}

/** What the ledger knew then: at that moment, unless it is said otherwise (what was imported later was known to nobody here). */
function knownThen({ as_of, basis }: AuditInput, at: string) {
  if (as_of !== undefined || basis !== undefined) return { ...given('as_of', as_of), ...given('basis', basis) };
  return { as_of: at };
}

/** Why vectors of a reading are missing: its own search repeats a basis, and has nothing to say of it. */
function notesOf(view: View, past: View, { basis }: AuditInput): string[] {
  const notes = [view.vectorNote, past.vectorNote].filter((note) => note !== undefined);
  return basis !== undefined && view.vectors && !past.vectors ? [...notes, keywordsNote] : notes;
}

async function differencesOf(
  asked: Asked,
  thenSeq: number,
  answers: { now: SearchOutput; known: SearchOutput; told: SearchOutput },
): Promise<Difference[]> {
  const { view } = asked;
  const of = ({ items }: SearchOutput, id: string): MemoryItem | undefined => items.find((item) => item.id === id);
  const ids = new Set([...answers.now.items, ...answers.known.items, ...answers.told.items].map(({ id }) => id));
  const differences: Difference[] = [];
  for (const id of ids) {
    const [now, known, told] = [of(answers.now, id), of(answers.known, id), of(answers.told, id)];
    const changes = (await view.reader.changesOf(view.bank, id)).filter(({ seq }) => seq <= view.seq);
    const since = changes.filter(({ seq }) => seq > thenSeq);
    if (known?.version !== told?.version) {
      const event = decidingEvent(since, known);
      differences.push({ what: 'knowledge', now, known, told, ...given('event', event) });
    }
    if (now?.version !== known?.version && (known || !told)) differences.push({ what: 'world', now, known, told });
  }
  return differences;
}

/** Of what was recorded since, the event that made the difference: the version that is known today, else what was done last. */
function decidingEvent(since: readonly MemoryRowEvent[], known: MemoryItem | undefined): MemoryRowEvent | undefined {
  const version = known && since.find((event) => isVersion(event) && event.version === known.version);
  if (version) return version;
  // A rating moves at most the order.
  return since.findLast((event) => !isVersion(event) && event.type !== 'MemoryRated') ?? since.at(-1);
}
