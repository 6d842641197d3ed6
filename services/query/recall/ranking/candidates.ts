import type { Columns } from '../../bank-index/columns.js';
import type { FoundAt } from '../../bank-index/findings.js';
import type { Visibility } from '../../bank-index/visibility.js';
import { best } from '../legs/best.js';
import { entityScores } from '../legs/entity-scores.js';
import { type KeywordScores, keywordScores } from '../legs/keyword-scores.js';
import { type Meaning, meaningOf } from '../legs/meaning-scores.js';
import { type AskedTime, askedTimes, nearestOf } from '../legs/time-scores.js';
import type { TakenQuestion } from './question.js';

/** Which versions may be answered with, and what the bank was like at the basis. */
export interface Scope {
  readonly columns: Columns;
  /** All memories at the basis, before any filter: what statistics are taken from. */
  readonly basis: Visibility;
  /** 1 for each doc that may be answered with. */
  readonly eligible: Uint8Array;
  /** What a model had found by the basis; undefined where none had read anything. */
  readonly found?: FoundAt | undefined;
}

/** What is known of all docs together before any is looked at closely. */
export interface Overview {
  readonly keywords: KeywordScores;
  /** Highest of each, 0 where nothing was found. */
  readonly most: { readonly own: number; readonly window: number };
  readonly meaning: Meaning | undefined;
  readonly entities: ReadonlyMap<number, number>;
  readonly mostEntity: number;
  readonly times: readonly AskedTime[];
  /** Per session, how well its best three docs fit, from 0 (the worst) to 1 (the best). */
  readonly sessions: Float64Array;
  /** A sum of legs by hand, per doc: what candidates are picked by. */
  readonly rough: Float64Array;
  /** Best first by that sum. */
  readonly docs: readonly number[];
}

/** Candidates that are looked at closely: of what is relevant in LoCoMo, .97 is among the first 80 by the sum below. */
const usual = 80;
/** By hand, as measured before anything was learned (LoCoMo R@5 .681): it only decides what is looked at. */
const share = { own: 0.3, window: 0.2, vector: 0.5, session: 0.3, entity: 0.1, time: 0.1 };
/** Docs that agree in all their scores are taken for copies of one text: so many of them are candidates. */
const copies = 8;
/** Without vectors lines of a list agree as well ("invoice 3 was paid"), so as many as may be served, but for this many places of others. */
const othersKept = 10;

/** Picks the docs that may be answers. Nothing is found where no telling word occurs and no vectors count. */
export function candidatesOf(
  question: TakenQuestion,
  { columns, basis, eligible, found: byModel }: Scope,
  limit: number,
): Overview {
  const keywords = keywordScores(question.terms, columns, basis, eligible);
  const most = { own: 0, window: 0 };
  for (let at = 0; at < keywords.found; at++) {
    const doc = keywords.docs[at]!;
    most.own = Math.max(most.own, keywords.own[doc]!);
    most.window = Math.max(most.window, keywords.window[doc]!);
  }
  const meaning =
    question.cosines &&
    meaningOf({ isHan: question.understood.language === 'zh' }, question.cosines, columns, eligible);
  const entities = entityScores(question.entities, columns, basis, eligible, byModel);
  let mostEntity = 0;
  for (const score of entities.values()) mostEntity = Math.max(mostEntity, score);
  const times = askedTimes(question.understood.dates);
  const rough = new Float64Array(eligible.length);
  const found: number[] = [];
  for (let doc = 0; doc < eligible.length; doc++) {
    if (eligible[doc] !== 1) continue;
    const alike = meaning ? meaning.share(doc) : Number.NaN;
    const own = keywords.own[doc]!;
    const window = keywords.window[doc]!;
    const entity = entities.size > 0 ? (entities.get(doc) ?? 0) : 0;
    if (own === 0 && window === 0 && entity === 0 && !(alike >= 0)) continue;
    let sum = 0;
    if (most.own > 0) sum += (share.own * own) / most.own;
    if (most.window > 0) sum += (share.window * window) / most.window;
    if (alike >= 0) sum += share.vector * alike;
    if (entity > 0) sum += (share.entity * entity) / mostEntity;
    if (times.length > 0) sum += share.time * nearestOf(columns.at[doc]!, byModel?.timesOf(doc) ?? [], times);
    rough[doc] = sum;
    found.push(doc);
  }
  const sessions = sessionScores(found, rough, columns);
  const scores = new Float64Array(found.length);
  for (let at = 0; at < found.length; at++) {
    const doc = found[at]!;
    const session = columns.session[doc]!;
    scores[at] = rough[doc]! + (session >= 0 ? share.session * sessions[session]! : 0);
  }
  const scored = { docs: Int32Array.from(found), scores };
  const wanted = Math.max(usual, limit);
  let docs: readonly number[] = [];
  // Copies may fill any number of the first places: then it is looked further down.
  for (let first = wanted * 2; docs.length < wanted; first *= 4) {
    const picked = best(scored, first).map((at) => found[at]!);
    docs = withoutCopies(picked, keywords, question.cosines, columns, limit).slice(0, wanted);
    if (first >= found.length) break;
  }
  return { keywords, most, meaning, entities, mostEntity, times, sessions, rough, docs };
}

/** The mean of each session's three best sums, scaled to 0 … 1 over the sessions that were found; of one alone, 1. */
function sessionScores(found: readonly number[], rough: Float64Array, { session, sessions }: Columns): Float64Array {
  const top = new Float64Array((sessions.size + 1) * 3);
  const counts = new Int32Array(sessions.size + 1);
  for (const doc of found) {
    const number = session[doc]!;
    if (number < 0) continue;
    counts[number]!++;
    let value = rough[doc]!;
    for (let at = number * 3; at < number * 3 + 3; at++) {
      if (value <= top[at]!) continue;
      const pushed = top[at]!;
      top[at] = value;
      value = pushed;
    }
  }
  const means = new Float64Array(sessions.size + 1);
  let least = Infinity;
  let most = -Infinity;
  for (let number = 0; number < means.length; number++) {
    if (counts[number] === 0) continue;
    const mean = (top[number * 3]! + top[number * 3 + 1]! + top[number * 3 + 2]!) / Math.min(3, counts[number]!);
    means[number] = mean;
    least = Math.min(least, mean);
    most = Math.max(most, mean);
  }
  for (let number = 0; number < means.length; number++)
    means[number] = counts[number]! > 0 ? (most > least ? (means[number]! - least) / (most - least) : 1) : 0;
  return means;
}

function withoutCopies(
  picked: readonly number[],
  { own }: KeywordScores,
  cosines: Float32Array | undefined,
  { length }: Columns,
  limit: number,
): number[] {
  const seen = new Map<string, number>();
  return picked.filter((doc) => {
    const cosine = cosines?.[doc] ?? Number.NaN;
    const scores = `${own[doc]} ${cosine} ${length[doc]}`;
    const times = (seen.get(scores) ?? 0) + 1;
    seen.set(scores, times);
    return times <= (cosine > -2 ? copies : Math.max(copies, limit - othersKept));
  });
}
