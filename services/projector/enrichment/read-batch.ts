import type { Caller } from '#contract/caller.js';
import { Trouble } from '#understanding/embeddings/openai/trouble.js';
import type { ModelReading } from '#understanding/enrich/model-reader.js';
import type { Backlog, Candidate } from './backlog.js';
import type { Budget } from './budget.js';
import type { EnrichmentDeps } from './create-enrichment.js';
import { type Note, openNote } from './open-note.js';

interface BatchDeps extends Omit<EnrichmentDeps, 'tokensPerDay'> {
  /** Version of the rules that answers are checked by. */
  readonly rules: number;
  readonly spending: Budget;
  /** How many texts in a row it gave no usable answer for. */
  readonly fruitless: { count: number };
}

/** Texts that the model is asked about at once: servers answer several together faster than one after the other. */
const atOnce = 4;

/** So many texts in a row without a usable answer say something about the model rather than about the texts. */
const mostFruitless = 8;

interface Asked {
  readonly candidate: Candidate;
  readonly note: Note;
  /** Tokens that it takes at most. */
  readonly bound: number;
}

/**
 * Has the model read the next versions of a bank, and what it finds put on record, in their order. What it gives no usable answer for is passed
 * over until this process ends; what it was not asked about, since its server is away, stays. A model that answers nothing usable at all is a
 * trouble of its own: it is asked ever more seldom.
 * @returns `spent` where the next one might cost more than is left · `none` where nothing is to be read
 * @throws Trouble · the signal's reason · what the views, the keys and ingest throw
 */
export async function readBatch(
  deps: BatchDeps,
  bank: string,
  own: Backlog,
  signal: AbortSignal,
): Promise<'read' | 'spent' | 'none'> {
  const { reader, spending, log } = deps;
  const candidates = await own.next(atOnce, deps.now());
  const rows = await deps.views.reader().versionsByDoc(
    bank,
    candidates.map(({ doc }) => doc),
  );
  const asked: Asked[] = [];
  let left = spending.left();
  for (const candidate of candidates) {
    const row = rows.find(({ doc }) => doc === candidate.doc);
    const note = row && (await openNote(deps, row));
    if (!note) {
      own.settled(candidate);
      continue;
    }
    const bound = reader.bound(note);
    if (bound > left) break;
    left -= bound;
    asked.push({ candidate, note, bound });
  }
  if (asked.length === 0) return (await own.next(1, deps.now())).length > 0 ? 'spent' : 'none';
  const answers = await Promise.allSettled(asked.map(({ note }) => reader.read(note, signal)));
  signal.throwIfAborted();
  let trouble: unknown;
  for (const [at, { candidate, note, bound }] of asked.entries()) {
    const answer = answers[at]!;
    if (answer.status === 'fulfilled') {
      deps.fruitless.count = 0;
      await record(deps, bank, own, candidate, shifted(answer.value, note.from));
    } else if (answer.reason instanceof Trouble && !mayBeBetter(answer.reason)) {
      // It was read, and what that took nobody says.
      if (answer.reason.kind === 'unusable') spending.spend(bound);
      deps.fruitless.count++;
      own.settled(candidate);
      const { memoryId: memory, version } = candidate;
      log.warn(
        { bank, memory, version, reason: answer.reason.message },
        'the model reads this version in no usable way',
      );
    } else trouble ??= answer.reason;
  }
  if (trouble !== undefined) throw trouble;
  if (deps.fruitless.count >= mostFruitless)
    throw new Trouble('unusable', `the model gave no usable answer for ${deps.fruitless.count} texts in a row`);
  return 'read';
}

function mayBeBetter({ kind }: Trouble): boolean {
  return kind === 'away' || kind === 'setup';
}

async function record(
  { record, reader, rules, spending }: BatchDeps,
  bank: string,
  own: Backlog,
  candidate: Candidate,
  { findings, tokens }: ModelReading,
): Promise<void> {
  const { memoryId: memory_id, version } = candidate;
  const back = spending.spend(tokens.read + tokens.written);
  const caller: Caller = { bank, principal: 'system', roles: ['writer'], agent: 'hindsight-ledger', tool: 'enrich' };
  const { status } = await record({ memory_id, version, rules, model: reader.fingerprint, tokens, findings }, caller);
  own.settled(candidate);
  // From now on the record tells of it.
  if (status === 'recorded') own.onceProjected(candidate, back);
}

/** Places of words in the whole text of a version, of which the model was given what stands behind the speaker's name. */
function shifted(reading: ModelReading, from: number): ModelReading {
  if (from === 0) return reading;
  const moved = <T extends { readonly words: readonly [number, number] | number[] }>(each: T): T => ({
    ...each,
    words: [each.words[0]! + from, each.words[1]! + from],
  });
  const { entities, relations, dates } = reading.findings;
  return {
    ...reading,
    findings: { entities: entities.map(moved), relations: relations.map(moved), dates: dates.map(moved) },
  };
}
