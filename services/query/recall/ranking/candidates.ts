import type { Columns } from '../../bank-index/columns.js';
import type { FoundAt } from '../../bank-index/findings.js';
import type { Visibility } from '../../bank-index/visibility.js';
import { best, type Scored } from '../legs/best.js';
import { type EntityScores, entityScores } from '../legs/entity-scores.js';
import { type KeywordScores, keywordScores } from '../legs/keyword-scores.js';
import { type Meaning, meaningOf } from '../legs/meaning-scores.js';
import { roomFor } from '../legs/scratch.js';
import { type AskedTime, askedTimes, nearestOf } from '../legs/time-scores.js';
import type { TakenQuestion } from './question.js';

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
  /** Per session, how well its best three docs fit, from 0 (the worst) to 1 (the best). */
  readonly sessions: Float64Array;
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
const share = { own: 0.3, window: 0.2, vector: 0.5, session: 0.3, entity: 0.1, time: 0.1 };
/** Docs that agree in all their scores are taken for copies of one text: so many of them are candidates. */
const copies = 8;
/** Without vectors lines of a list agree as well ("invoice 3 was paid"), so as many as may be served, but for this many places of others. */
const othersKept = 10;

/** Written anew for each question, as long as the largest bank that was asked. */
let rough = new Float64Array(0);
let fits = new Float64Array(0);
let found = new Int32Array(0);

/** Picks the docs that may be answers. Nothing is found where no telling word occurs and no vectors count. */
export function candidatesOf(question: TakenQuestion, scope: Scope, limit: number): Overview {
  const { columns, basis, current, eligible } = scope;
  const { cosines } = question;
  const scored = either(current, eligible);
  const keywords = keywordScores(question.terms, columns, basis, scored);
  const most = mostOf(keywords, current);
  const isHan = question.understood.language === 'zh';
  const meaning = cosines && meaningOf({ isHan }, cosines, columns, current);
  const entities = entityScores(question.entities, columns, basis, { scored, current }, scope.found);
  const times = askedTimes(question.understood.dates);
  makeRoom(scored.length);
  const count = weighRoughly({ keywords, most, meaning, entities, times }, scope, scored);
  const sessions = sessionScores(count, columns, current);
  for (let at = 0; at < count; at++) {
    const doc = found[at]!;
    const session = columns.session[doc]!;
    fits[at] = rough[doc]! + (session >= 0 ? share.session * sessions[session]! : 0);
  }
  const pick = (mask: Uint8Array): readonly number[] =>
    picked(
      mask === scored ? { docs: found, scores: fits, count } : onlyOf(mask, count),
      keywords,
      cosines,
      columns,
      limit,
    );
  const docs = pick(eligible);
  const among = eligible === current ? docs : pick(current);
  return { keywords, most, meaning, entities, times, sessions, rough, docs, among };
}

/** The best of them, without too many copies of one text. */
function picked(
  scored: Required<Scored>,
  keywords: KeywordScores,
  cosines: Float32Array | undefined,
  columns: Columns,
  limit: number,
): readonly number[] {
  const wanted = Math.max(usual, limit);
  let docs: readonly number[] = [];
  // Copies may fill any number of the first places: then it is looked further down.
  for (let first = wanted * 2; docs.length < wanted; first *= 4) {
    const firstOnes = best(scored, first).map((at) => scored.docs[at]!);
    docs = withoutCopies(firstOnes, keywords, cosines, columns, limit).slice(0, wanted);
    if (first >= scored.count) break;
  }
  return docs;
}

/** Of what was found, what a mask has. */
function onlyOf(mask: Uint8Array, count: number): Required<Scored> {
  const docs = new Int32Array(count);
  const scores = new Float64Array(count);
  let kept = 0;
  for (let at = 0; at < count; at++) {
    if (mask[found[at]!] !== 1) continue;
    docs[kept] = found[at]!;
    scores[kept++] = fits[at]!;
  }
  return { docs, scores, count: kept };
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

function makeRoom(docs: number): void {
  if (rough.length >= docs) return;
  rough = new Float64Array(roomFor(docs));
  fits = new Float64Array(roomFor(docs));
  found = new Int32Array(roomFor(docs));
}

function mostOf({ docs, found: count, own, window }: KeywordScores, current: Uint8Array): Overview['most'] {
  const most = { own: 0, window: 0 };
  for (let at = 0; at < count; at++) {
    const doc = docs[at]!;
    if (current[doc] !== 1) continue;
    if (own[doc]! > most.own) most.own = own[doc]!;
    if (window[doc]! > most.window) most.window = window[doc]!;
  }
  return most;
}

/** Puts what any leg finds into `found`, and its sum into `rough`. @returns how many */
function weighRoughly(
  { keywords, most, meaning, entities, times }: Pick<Overview, 'keywords' | 'most' | 'meaning' | 'entities' | 'times'>,
  { columns, found: byModel }: Scope,
  scored: Uint8Array,
): number {
  const isTimed = times.length > 0;
  let count = 0;
  meaning?.shares(rough, scored);
  for (let doc = 0; doc < scored.length; doc++) {
    if (scored[doc] !== 1) continue;
    const alike = meaning ? rough[doc]! : Number.NaN;
    const own = keywords.own[doc]!;
    const window = keywords.window[doc]!;
    const entity = entities.of[doc]!;
    if (own === 0 && window === 0 && entity === 0 && !(alike >= 0)) continue;
    let sum = 0;
    // What is not current may say more than all that is.
    if (own > 0) sum += (share.own * own) / Math.max(most.own, own);
    if (window > 0) sum += (share.window * window) / Math.max(most.window, window);
    if (alike >= 0) sum += share.vector * alike;
    if (entity > 0) sum += (share.entity * entity) / Math.max(entities.most, entity);
    if (isTimed) sum += share.time * nearestOf(columns.at[doc]!, byModel?.timesOf(doc) ?? never, times);
    rough[doc] = sum;
    found[count++] = doc;
  }
  return count;
}

const never: readonly number[] = [];

/** The mean of each session's three best sums, scaled to 0 … 1 over the sessions that were found; of one alone, 1. */
function sessionScores(count: number, { session, sessions }: Columns, current: Uint8Array): Float64Array {
  const numbers = sessions.size + 1;
  clearSessions(numbers);
  for (let place = 0; place < count; place++) {
    const doc = found[place]!;
    const number = session[doc]!;
    if (number < 0 || current[doc] !== 1) continue;
    members[number]!++;
    let value = rough[doc]!;
    if (value <= threeBest[number * 3 + 2]!) continue;
    for (let at = number * 3; at < number * 3 + 3; at++) {
      if (value <= threeBest[at]!) continue;
      const pushed = threeBest[at]!;
      threeBest[at] = value;
      value = pushed;
    }
  }
  let least = Infinity;
  let most = -Infinity;
  for (let number = 0; number < numbers; number++) {
    if (members[number] === 0) continue;
    const first = number * 3;
    const sum = threeBest[first]! + threeBest[first + 1]! + threeBest[first + 2]!;
    const mean = sum / Math.min(3, members[number]!);
    means[number] = mean;
    least = Math.min(least, mean);
    most = Math.max(most, mean);
  }
  for (let number = 0; number < numbers; number++)
    means[number] = members[number]! > 0 ? (most > least ? (means[number]! - least) / (most - least) : 1) : 0;
  return means;
}

/** Per session, written anew for each question. */
let threeBest = new Float64Array(0);
let members = new Int32Array(0);
let means = new Float64Array(0);

function clearSessions(numbers: number): void {
  if (members.length >= numbers) {
    threeBest.fill(0, 0, numbers * 3);
    members.fill(0, 0, numbers);
    return;
  }
  threeBest = new Float64Array(roomFor(numbers) * 3);
  members = new Int32Array(roomFor(numbers));
  means = new Float64Array(roomFor(numbers));
}

/** Docs that agree in their words, meaning and length, with how many there were so far. */
interface Copies {
  readonly own: number;
  readonly cosine: number;
  readonly length: number;
  times: number;
}

function withoutCopies(
  picked: readonly number[],
  { own }: KeywordScores,
  cosines: Float32Array | undefined,
  { length }: Columns,
  limit: number,
): number[] {
  const groups = new Map<number, Copies[]>();
  return picked.filter((doc) => {
    const cosine = cosines?.[doc] ?? Number.NaN;
    const hasVector = cosine > -2;
    const near = among(groups, hasVector ? cosine : own[doc]!);
    let same = near.find(
      (each) => each.own === own[doc] && Object.is(each.cosine, cosine) && each.length === length[doc],
    );
    if (!same) {
      same = { own: own[doc]!, cosine, length: length[doc]!, times: 0 };
      near.push(same);
    }
    same.times++;
    return same.times <= (hasVector ? copies : Math.max(copies, limit - othersKept));
  });
}

function among(groups: Map<number, Copies[]>, key: number): Copies[] {
  const known = groups.get(key);
  if (known) return known;
  const fresh: Copies[] = [];
  groups.set(key, fresh);
  return fresh;
}
