import type { Columns } from '../../bank-index/columns.js';
import type { FoundAt } from '../../bank-index/findings.js';
import type { Visibility } from '../../bank-index/visibility.js';
import { type EntityScores, entityScores } from '../legs/entity-scores.js';
import { type KeywordScores, keywordScores } from '../legs/keyword-scores.js';
import { type Meaning, meaningOf } from '../legs/meaning-scores.js';
import { roomFor } from '../legs/scratch.js';
import { type NamedBy, slotScores } from '../legs/slot-scores.js';
import { type Survey, surveyOf } from '../legs/survey.js';
import { type AskedTime, askedTimes, isInside, nearestOf } from '../legs/time-scores.js';
import type { TakenQuestion } from './question.js';
import { noteBest, sessionScores, sessionsFound } from './session-scores.js';
import { type OnLeg, timed } from './timed-leg.js';
import { withoutCopies } from './without-copies.js';

/** Which versions may be answered with, and what the bank was like at the basis. */
export interface Scope {
  readonly columns: Columns;
  /** All memories at the basis, before any filter: what statistics are taken from. */
  readonly basis: Visibility;
  /**
   * 1 for each doc that is current at the time asked about, before any filter: what is the best, and what is usual, is told among these. So
   * a filter, or what is included beside, moves no score.
   */
  readonly current: Uint8Array;
  /** 1 for each doc that may be answered with. */
  readonly eligible: Uint8Array;
  /** Whether a stretch of time is asked about, and no moment. */
  readonly isStretch?: boolean;
  /** What a model had found by the basis; undefined where none had read anything. */
  readonly found?: FoundAt | undefined;
}

/**
 * What is known of all docs together before any is looked at closely. Its numbers per doc are scratch of this process: they are read before
 * the next question is ranked, so nothing waits in between.
 */
export interface Overview {
  readonly keywords: KeywordScores;
  /** Highest of each, 0 where nothing was found. */
  readonly most: { readonly own: number; readonly window: number };
  readonly meaning: Meaning | undefined;
  readonly entities: EntityScores;
  readonly times: readonly AskedTime[];
  /** What the question asks for by name. */
  readonly named: ReadonlyMap<number, NamedBy>;
  /** Per session, how well its best three docs fit, from 0 (the worst) to 1 (the best). */
  readonly sessions: Float64Array;
  readonly sessionsFound: number;
  /** A sum of legs by hand, per doc that was found: what candidates are picked by. */
  readonly rough: Float64Array;
  /** Best first by that sum. */
  readonly docs: readonly number[];
  /** What `docs` would be without a filter: what candidates are held against. */
  readonly among: readonly number[];
}

/** Candidates that are looked at closely: of what is relevant in LoCoMo, .97 is among the first 80 by the sum below. */
const usual = 80;
/** By hand, as measured before anything was learned (LoCoMo R@5 .681): it only decides what is looked at. */
const share = { own: 0.3, window: 0.2, vector: 0.5, session: 0.3, entity: 0.1, time: 0.1, slot: 1 };
/** What names or slots find: written anew for each question, as long as the largest bank that was asked. */
let listedDocs = new Int32Array(0);

/** Picks the docs that may be answers. Nothing is found where no telling word occurs and no vectors count. */
export function candidatesOf(question: TakenQuestion, scope: Scope, limit: number, onLeg?: OnLeg): Overview {
  const { columns, basis, current, eligible } = scope;
  const { cosines } = question;
  const scored = either(current, eligible);
  const keywords = timed('keyword', onLeg, () => keywordScores(question.terms, columns, basis, scored));
  const most = keywords.mostOf(current);
  const survey = surveyOf({ columns, scored, current, cosines });
  const isHan = question.understood.language === 'zh';
  const meaning = cosines && meaningOf({ isHan }, cosines, columns, survey.usual());
  const entities = timed('graph', onLeg, () =>
    entityScores(question.entities, columns, basis, { scored, current }, scope.found),
  );
  const times = askedTimes(question.understood.dates);
  const named = timed('slot', onLeg, () => namedBy(question, scope, times));
  if (times.length > 0) timed('time', onLeg, () => nearTimes(times, scope, survey, scored));
  weighRoughly({ keywords, most, meaning, entities, times, named }, scope, survey, scored);
  const sessions = sessionScores(survey.sessions);
  const found = sessionsFound(survey.sessions);
  const pick = (mask: Uint8Array): readonly number[] =>
    picked((first) => survey.pick(mask, share, first), keywords, cosines, scope, limit);
  const docs = pick(eligible);
  const among = eligible === current ? docs : pick(current);
  return {
    keywords,
    most,
    meaning,
    entities,
    times,
    named,
    sessions,
    sessionsFound: found,
    rough: survey.rough,
    docs,
    among,
  };
}

/** How near each doc is to the times that are asked about. */
function nearTimes(times: readonly AskedTime[], { columns, found }: Scope, survey: Survey, scored: Uint8Array): void {
  survey.nearTimes(times);
  // A model may have found more moments that a doc is about.
  for (const doc of found?.read() ?? never)
    if (scored[doc] === 1) survey.near[doc] = nearestOf(columns.at[doc]!, found!.timesOf(doc), times);
}

/** What is asked for by its key or tags, or as all that there is of a time or within a filter. */
function namedBy(question: TakenQuestion, scope: Scope, times: readonly AskedTime[]): ReadonlyMap<number, NamedBy> {
  const { columns, current, eligible, found: byModel } = scope;
  const named = slotScores(question.slots, columns);
  const isFiltered = eligible !== current;
  if (!question.understood.bare || (times.length === 0 && !isFiltered)) return named;
  const all = new Map(named);
  const isIn = (moment: number): boolean => times.length === 0 || isInside(moment, times);
  for (let doc = 0; doc < eligible.length; doc++) {
    if (eligible[doc] !== 1 || all.has(doc)) continue;
    if (isIn(columns.at[doc]!) || byModel?.timesOf(doc).some(isIn)) all.set(doc, 'time');
  }
  return all;
}

/** The best of them, without too many copies of one text. */
function picked(
  best: (first: number) => { readonly docs: readonly number[]; readonly count: number },
  keywords: KeywordScores,
  cosines: Float32Array | undefined,
  { columns, isStretch = false }: Scope,
  limit: number,
): readonly number[] {
  const wanted = Math.max(usual, limit);
  // Copies may fill any number of the first places: then it is looked further down.
  for (let first = wanted * 2; ; first *= 4) {
    const { docs: firstOnes, count } = best(first);
    const docs = withoutCopies(firstOnes, keywords, cosines, columns, limit, isStretch).slice(0, wanted);
    if (docs.length >= wanted || first >= count) return docs;
  }
}

/** 1 where either has one: the first itself where the other adds nothing. */
function either(one: Uint8Array, other: Uint8Array): Uint8Array {
  let both = one;
  for (let doc = 0; doc < other.length && one !== other; doc++) {
    if (other[doc] !== 1 || both[doc] === 1) continue;
    if (both === one) both = one.slice();
    both[doc] = 1;
  }
  return both;
}

type Legs = Pick<Overview, 'keywords' | 'most' | 'meaning' | 'entities' | 'times' | 'named'>;

/** Gives each doc that any leg finds its sum, and notes the best of each session. */
function weighRoughly(legs: Legs, { columns, current }: Scope, survey: Survey, scored: Uint8Array): void {
  const { meaning, times, most } = legs;
  const { rough, listed } = survey;
  const count = nameListed(legs, listed, scored);
  survey.weigh(meaning?.scale, share, most, times.length > 0);
  for (let at = 0; at < count; at++) {
    const doc = listedDocs[at]!;
    addUp(legs, survey, doc);
    listed[doc] = 0;
    const number = columns.session[doc]!;
    if (number >= 0 && current[doc] === 1) noteBest(survey.sessions, number, rough, doc);
  }
}

/** Marks what names or slots find, and puts it into `listedDocs`. @returns how many */
function nameListed({ entities, named }: Legs, listed: Uint8Array, scored: Uint8Array): number {
  if (listedDocs.length < scored.length) listedDocs = new Int32Array(roomFor(scored.length));
  let count = 0;
  const list = (doc: number): void => {
    // Of a basis before, postings tell of more docs than there are.
    if (scored[doc] !== 1 || listed[doc] === 1) return;
    listed[doc] = 1;
    listedDocs[count++] = doc;
  };
  for (const doc of named.keys()) list(doc);
  for (let at = 0; at < entities.found; at++) list(entities.docs[at]!);
  return count;
}

/** From how near a doc is in meaning (NaN for not at all), in its place: a number that is handed over is a number on the heap. */
function addUp({ keywords, most, entities, times, named }: Legs, { rough, near }: Survey, doc: number): void {
  const alike = rough[doc]!;
  const own = keywords.own[doc]!;
  const window = keywords.window[doc]!;
  const entity = entities.of[doc]!;
  let sum = 0;
  // What is not current may say more than all that is.
  if (own > 0) sum += (share.own * own) / Math.max(most.own, own);
  if (window > 0) sum += (share.window * window) / Math.max(most.window, window);
  if (alike >= 0) sum += share.vector * alike;
  if (entity > 0) sum += (share.entity * entity) / Math.max(entities.most, entity);
  if (times.length > 0) sum += share.time * near[doc]!;
  if (named.has(doc)) sum += share.slot;
  rough[doc] = sum;
}

const never: readonly number[] = [];
