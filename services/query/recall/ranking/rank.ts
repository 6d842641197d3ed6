import type { RankingProfile } from '#events/recall-settings.js';
import { best } from '../legs/best.js';
import { occursIn } from '../legs/occurs-in.js';
import { type NamedBy, namedChances } from '../legs/slot-scores.js';
import { recipe } from '../recipe.js';
import { candidatesOf, type Scope } from './candidates.js';
import { type FeatureName, type Features, featureNames, featuresOf } from './features.js';
import { type Form, formOf } from './form.js';
import { chanceOfAnswer } from './holds-answer.js';
import { raiseLater } from './later-statements.js';
import { type LegPlace, legPlaces } from './leg-places.js';
import type { TakenQuestion } from './question.js';
import { seedsParts, seedsScore, toldParts } from './seeds.js';
import type { OnLeg } from './timed-leg.js';
import type { FormWeights, Weights } from './weights.js';

/** What each part of a sum adds: its value times its weight. */
type Told = Readonly<Record<string, { readonly value: number; readonly weight: number }>>;

/** A version with its place in the answer. */
export interface Ranked {
  readonly doc: number;
  /** The chance that it helps, 0 to 1; by the profile `seeds` no chance, but a share. */
  readonly score: number;
  /** Words of the question that it holds, as they were asked. */
  readonly matched: readonly string[];
  /** Asked for by `explain`. */
  readonly legs?: Readonly<Record<string, LegPlace>> | undefined;
  readonly features?: Told | undefined;
  /** What of it the question names: it then has at least the chance that goes with that; by `explain` only. */
  readonly named?: NamedBy | undefined;
  /** The earlier statement of the same to whose score it was raised; by `explain` only. */
  readonly over?: number | undefined;
}

export interface Ranking {
  /** Best first; of equal scores the newer version first. */
  readonly ranked: readonly Ranked[];
  /** What was looked at and left out, best first; by `explain` only. */
  readonly dropped: readonly Ranked[];
  /** Of the best candidate; the profile `seeds` weighs all forms alike. */
  readonly form: Form | undefined;
  /** The chance below which nothing of that form is served: the highest of what is in force. */
  readonly cutoff: number | undefined;
  /** What it follows from, where no least score was asked for. */
  readonly cuts?: Cuts | undefined;
  /** The chance that anything here is an answer, where that is told; what is served was asked for by `least`, or this is high enough. */
  readonly holds: number | undefined;
}

interface Cuts {
  /** The form's own. */
  readonly form: number;
  /** The share of the best one's chance that is needed beside it; absent where none is. */
  readonly besideBest?: number;
  /** The same of what is written in the other language than the question, where that is less. */
  readonly besideBestAcross?: number;
}

export interface Asking {
  readonly profile: RankingProfile;
  readonly weights: Readonly<Record<Form, FormWeights>>;
  /** What is added to a candidate's sum for what it is, whatever is asked. */
  readonly merit: (doc: number) => number;
  /** The same part by part, for `explain`. */
  readonly meritParts: (doc: number) => Told;
  /** Least score of what is served; the form's own where none was asked for. */
  readonly least: number | undefined;
  readonly limit: number;
  readonly explain: boolean;
  readonly onLeg?: OnLeg | undefined;
}

const slotAt = featureNames.indexOf('key');
const acrossAt = featureNames.indexOf('meaningAcross');
/** Among fewer than these nothing is usual, so no meaning stands out: there, words are enough. */
const fewMemories = 16;
/** Among fewer than these an answer is more easily missed than a guess is a nuisance. */
const enoughMemories = 50;
const fewWords = 2;
/** Of what lies outside of a time of which everything is asked, and shares no more than a number with its date. */
const outsideSpan = 0.001;
const none: ReadonlyMap<number, number> = new Map();
/** Left out, as many are told of. */
const toldOf = 10;

/** Weighs every candidate by the weights of its form, and drops what is not likely to help. */
export function rank(question: TakenQuestion, scope: Scope, asking: Asking): Ranking {
  const overview = candidatesOf(question, scope, asking.limit, asking.onLeg);
  const features = featuresOf(question, scope, overview);
  const form = formOf(scope.columns, scope.basis);
  const weightsOf = (doc: number): Weights => {
    const ofForm = asking.weights[form(doc)];
    return (question.cosines?.[doc] ?? Number.NaN) > -2 ? ofForm.vectors : ofForm.keywords;
  };
  const isSmall = scope.basis.count < fewMemories;
  const seeds = asking.profile === 'seeds' ? seedsParts(question, scope) : undefined;
  const isSpanAsked = question.understood.bare && overview.times.length > 0;
  const scoreOf = (doc: number, at: number): number => {
    if (seeds) return seedsScore(seeds(doc, features.row(at)));
    const named = overview.named.get(doc);
    if (named !== undefined) return Math.max(weighedScore(doc, at), namedChances[named]);
    const score = weighedScore(doc, at);
    return isSpanAsked ? Math.min(score, outsideSpan) : score;
  };
  const mayDecideByWords = (doc: number): boolean => isSmall || hasAllWords(question, doc);
  const weighedScore = (doc: number, at: number): number => {
    const merit = asking.merit(doc);
    const score = chance(sumOf(weightsOf(doc), features, at) + merit);
    if (!mayDecideByWords(doc)) return score;
    return Math.max(score, chance(sumOf(asking.weights[form(doc)].keywords, features, at) + merit));
  };
  const decidedBy = (doc: number, at: number): Weights => {
    const [own, { keywords }] = [weightsOf(doc), asking.weights[form(doc)]];
    return mayDecideByWords(doc) && sumOf(keywords, features, at) > sumOf(own, features, at) ? keywords : own;
  };
  const scores = Float64Array.from(overview.docs, scoreOf);
  const byScore = best({ docs: Int32Array.from(overview.docs), scores }, overview.docs.length);
  const candidates = { docs: overview.docs, scores };
  const { order, over } = seeds ? { order: byScore, over: none } : raiseLater(question, scope, candidates, byScore);
  const isNamed = byScore[0] !== undefined && overview.named.has(overview.docs[byScore[0]]!);
  const holds =
    seeds || isNamed || scope.basis.count < enoughMemories ? undefined : holdsOf(question, features, byScore, scores);
  const isNothing = asking.least === undefined && holds !== undefined && holds < recipe.answer.cut;
  const least = besideBest(byScore, features, (at) => form(overview.docs[at]!));
  const cutOf = (at: number): number =>
    asking.least ?? (seeds ? 0 : Math.max(weightsOf(overview.docs[at]!).cut, scores[byScore[0]!]! * least(at)));
  const isServed = (at: number): boolean => !isNothing && scores[at]! >= cutOf(at);
  const places = asking.explain
    ? legPlaces(
        question.cosines,
        overview,
        (doc) => features.row(overview.docs.indexOf(doc))[slotAt]!,
        (doc) => [scope.columns.at[doc]!, ...(scope.found?.timesOf(doc) ?? [])],
      )
    : undefined;
  const told = (at: number): Ranked => {
    const doc = overview.docs[at]!;
    return {
      doc,
      score: scores[at]!,
      matched: matchedWords(question, doc),
      ...(asking.explain && overview.named.has(doc) ? { named: overview.named.get(doc) } : {}),
      ...(asking.explain && over.has(at) ? { over: overview.docs[over.get(at)!]! } : {}),
      ...(places
        ? {
            legs: places(at),
            features: seeds
              ? toldParts(seeds(doc, features.row(at)))
              : { ...weighed(decidedBy(doc, at), features.row(at)), ...asking.meritParts(doc) },
          }
        : {}),
    };
  };
  const first = order[0] === undefined ? undefined : overview.docs[order[0]]!;
  return {
    ranked: order.filter(isServed).slice(0, asking.limit).map(told),
    dropped: asking.explain
      ? order
          .filter((at) => !isServed(at))
          .slice(0, toldOf)
          .map(told)
      : [],
    form: first === undefined || seeds ? undefined : form(first),
    cutoff: first === undefined ? undefined : cutOf(order[0]!),
    cuts:
      !asking.explain || first === undefined || asking.least !== undefined || seeds
        ? undefined
        : cutsOf(weightsOf(first), least(order[0]!)),
    holds,
  };
}

function holdsOf(
  question: TakenQuestion,
  features: Features,
  order: readonly number[],
  scores: Float64Array,
): number | undefined {
  if (order.length === 0) return undefined;
  const best = scores[order[0]!]!;
  return chanceOfAnswer(question, features, order, Math.log(best / (1 - best)));
}

function cutsOf({ cut }: Weights, share: number): Cuts {
  const { across } = recipe.besideBest;
  return {
    form: cut,
    ...(share > 0 ? { besideBest: share } : {}),
    ...(share > across ? { besideBestAcross: across } : {}),
  };
}

/**
 * The share of the best one's chance that a candidate has to reach beside it: where a fact is likely, what is much less so is noise. Less where one of the two is written in
 * the other language than the question: chances lie low and close together there.
 * @param order places, best first
 */
function besideBest(
  order: readonly number[],
  features: Features,
  formAt: (place: number) => Form,
): (place: number) => number {
  const best = order[0];
  if (best === undefined) return () => 0;
  const isAcross = (place: number): boolean => features.row(place)[acrossAt] === 1;
  const isBestAcross = isAcross(best);
  const { share, across } = recipe.besideBest;
  const own = share[formAt(best)];
  return (place: number): number => (isBestAcross || isAcross(place) ? Math.min(own, across) : own);
}

function sumOf(weights: Weights, { all }: Features, place: number): number {
  const numbers = numbersOf(weights);
  const row = place * numbers.length;
  let sum = weights.intercept;
  for (let at = 0; at < numbers.length; at++) sum += numbers[at]! * all[row + at]!;
  return sum;
}

const inOrder = new WeakMap<Weights, Float64Array>();

/** In the order of `featureNames`. */
function numbersOf(weights: Weights): Float64Array {
  const known = inOrder.get(weights);
  if (known) return known;
  const numbers = Float64Array.from(featureNames, (name) => weights.of[name] ?? 0);
  inOrder.set(weights, numbers);
  return numbers;
}

/** The logistic function. */
export function chance(sum: number): number {
  return 1 / (1 + Math.exp(-sum));
}

function weighed({ of }: Weights, values: Float64Array): Record<string, { value: number; weight: number }> {
  const told: Partial<Record<FeatureName, { value: number; weight: number }>> = {};
  featureNames.forEach((name, at) => {
    const weight = of[name];
    if (weight !== undefined && values[at] !== 0) told[name] = { value: values[at]!, weight };
  });
  return told;
}

/** Whether a doc has every telling word of a question of one or two: words then say more than cosines, which leave a rare or foreign word to chance. */
function hasAllWords({ terms }: TakenQuestion, doc: number): boolean {
  const telling = terms.filter((term) => term.telling);
  return telling.length > 0 && telling.length <= fewWords && telling.every(({ postings }) => occursIn(postings, doc));
}

function matchedWords({ terms, words }: TakenQuestion, doc: number): string[] {
  const found = terms.filter(({ postings }) => occursIn(postings, doc));
  return [...new Set(found.map(({ term }) => words.get(term) ?? term))];
}
