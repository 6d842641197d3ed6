import { docFlags } from '#views/doc-flags.js';
import type { TermPostings } from '../../bank-index/term-postings.js';
import { toldOnce, toldOncePerTerm } from '../../bank-index/told-once.js';
import { occursIn } from '../legs/occurs-in.js';
import { isWithin, nearestOf } from '../legs/time-scores.js';
import type { Overview, Scope } from './candidates.js';
import type { TakenQuestion } from './question.js';
import { manySessions, sessionsAt } from './session-scores.js';

/** What features are told from. */
interface Sight extends Overview {
  readonly question: TakenQuestion;
  readonly scope: Scope;
}

/**
 * Among so many sessions the least one fits badly, and the scale from the least to the most says how well each does. Weights were learned where there are 19
 * and more (LoCoMo); between two it took all but a fiftieth from a turn that says the same. Those of notes were learned where there are hundreds
 * (KdConv), each about one thing, and weigh more: there it takes `manySessions` in the bank.
 */
const enoughSessions = 10;

/** For one question: a number for each candidate, by its doc and its place in `docs`. */
type Feature = (sight: Sight) => (doc: number, place: number) => number;

/** What a candidate is weighed by, in the order of the numbers. */
const features = {
  /** BM25 of its own text, as a share of the best of the bank. */
  words:
    ({ keywords, most }) =>
    (doc) =>
      shareOf(keywords.own[doc]!, most.own),
  /** The same with the text before it. */
  wordsInContext:
    ({ keywords, most }) =>
    (doc) =>
      shareOf(keywords.window[doc]!, most.window),
  /** BM25 as a share of what a text made of nothing but the question would reach. */
  coverage:
    ({ keywords }) =>
    (doc) =>
      shareOf(keywords.own[doc]!, keywords.ideal),
  coverageInContext:
    ({ keywords }) =>
    (doc) =>
      shareOf(keywords.window[doc]!, keywords.ideal),
  /** BM25 of the text before it and of the one after. */
  wordsBefore: ({ keywords, most, scope }) => {
    const { before } = scope.columns;
    return (doc) => (scope.current[before[doc]!] === 1 ? shareOf(keywords.own[before[doc]!]!, most.own) : 0);
  },
  wordsAfter: ({ keywords, most, scope }) => {
    return (doc) => {
      const after = afterAt(scope, doc);
      return scope.current[after] === 1 ? shareOf(keywords.own[after]!, most.own) : 0;
    };
  },
  /** Words that begin as words of the question do. */
  partsOfWords: (sight) => {
    const parts = partsOf(sight);
    return (_doc, place) => parts[place]!;
  },
  /** Nearness of meaning, from next to nothing (0) to the bank's best (1). */
  meaning: (sight) => (doc) => nearIn(sight, doc),
  /** Standing among docs of its language, in deviations, divided by 4. */
  meaningStands: ({ meaning }) => {
    return (doc) => {
      const stands = meaning?.standing(doc) ?? 0;
      return stands > -99 ? stands / 4 : 0;
    };
  },
  /** Its cosine, from .8 (0) to .9 (1), whatever others there are: those of the shipped model lie there. 0 by any other model. */
  meaningCosine: ({ meaning, question: { isShipped } }) => {
    return (doc) => {
      const cosine = (isShipped ? meaning?.cosine(doc) : undefined) ?? Number.NaN;
      return cosine > -2 ? aboveUsual(cosine) : 0;
    };
  },
  /** By the shipped model: it is written in the other language than the question. */
  meaningAcross: (sight) => (doc) => (isAcross(sight, doc) ? 1 : 0),
  /** That, times the nearest in the question's own language: where that says it, the other says it again. */
  meaningAcrossBesideOwn: (sight) => {
    const nearest = sight.meaning?.nearestOwn;
    const own = nearest === undefined ? 0 : aboveUsual(nearest);
    return (doc) => (isAcross(sight, doc) ? own : 0);
  },
  /** The cosine of the turn after it, in whose vector it is the context. */
  meaningAfter: (sight) => (doc) => nearIn(sight, afterAt(sight.scope, doc)),
  meaningBefore: (sight) => (doc) => nearIn(sight, sight.scope.columns.before[doc]!),
  /** How well the best of its session fit; among few sessions the least of them lacks little by that, since it may be nearly as good. */
  session: (sight) => {
    const { columns, basis } = sight.scope;
    const { session, speaker } = columns;
    const ofTurns = Math.min(1, sight.sessionsFound / enoughSessions);
    const ofNotes = sessionsAt(columns, basis) / manySessions;
    return (doc) => {
      const share = speaker[doc]! > 0 ? ofTurns : ofNotes;
      return session[doc]! < 0 ? 0 : share === 1 ? sessionFit(sight, doc) : 1 - share * (1 - sessionFit(sight, doc));
    };
  },
  /** That, times how well it fits itself. */
  sessionAndFit: (sight) => {
    const { among, rough } = sight;
    let least = Infinity;
    let most = -Infinity;
    for (const doc of among) {
      least = Math.min(least, rough[doc]!);
      most = Math.max(most, rough[doc]!);
    }
    return (doc) => sessionFit(sight, doc) * (most > least ? clamped((rough[doc]! - least) / (most - least)) : 0);
  },
  /** ln(1 + terms) / 4 */
  length:
    ({ scope }) =>
    (doc) =>
      Math.log1p(scope.columns.length[doc]!) / 4,
  isQuestion: (sight) => (doc) => hasFlag(sight, doc, docFlags.question),
  /** The question names one speaker, and this is the one, or another. */
  speakerNamed: ({ question, scope }) => {
    const named = speakerOf(question, scope);
    return (doc) => (named !== undefined && scope.columns.speaker[doc]! === named ? 1 : 0);
  },
  otherSpeakerNamed: ({ question, scope }) => {
    const named = speakerOf(question, scope);
    const { speaker } = scope.columns;
    return (doc) => (named !== undefined && speaker[doc]! > 0 && speaker[doc]! !== named ? 1 : 0);
  },
  /** Said by the one who asks rather than by the assistant, in banks that tell these apart; the other way round where the question asks for what was told. */
  saidByAsker: ({ question: { asker, understood }, scope }) => {
    const { speaker } = scope.columns;
    return (doc) => (asker !== undefined && (speaker[doc]! === asker) !== understood.ofYou ? 1 : 0);
  },
  /** It says how whoever asks wants things, or what they like; and that where help is asked for. */
  tellsWish: (sight) => (doc) => wishOf(sight, doc),
  tellsWishAsked: (sight) => (doc) => (sight.question.understood.forHelp ? wishOf(sight, doc) : 0),
  /** A time is asked for, and it tells one. */
  tellsTime: (sight) => {
    const isWanted = sight.question.understood.wanted === 'when';
    return (doc) => (isWanted ? hasFlag(sight, doc, docFlags.mentionsTime) : 0);
  },
  /** A count is asked for, and it tells a number. */
  tellsNumber: (sight) => {
    const isWanted = sight.question.understood.wanted === 'count';
    return (doc) => (isWanted ? hasFlag(sight, doc, docFlags.mentionsNumber) : 0);
  },
  /** It happened in what the question asks about, or near it. */
  inTime: ({ times, scope: { columns, found } }) => {
    const isIn = (moment: number): boolean => isWithin(moment, times);
    return (doc) => (isIn(columns.at[doc]!) || found?.timesOf(doc).some(isIn) ? 1 : 0);
  },
  nearTime: ({ times, scope: { columns, found } }) => {
    return (doc) => coarse(nearestOf(columns.at[doc]!, found?.timesOf(doc) ?? [], times));
  },
  /** It names what the question names, or something told with it. */
  names:
    ({ entities }) =>
    (doc) =>
      shareOf(entities.of[doc]!, entities.most),
  /** Share of its key that the question has, and of the question that its tags have. */
  key: ({ question: { keys }, scope }) => {
    const { keyLength } = scope.columns;
    return (doc) => (keyLength[doc]! > 0 ? occurrences(keys, doc) / keyLength[doc]! : 0);
  },
  tags: ({ question: { tags } }) => {
    return (doc) => (tags.length > 0 ? occurrences(tags, doc) / tags.length : 0);
  },
  /** Where it stands between the oldest (0) and the newest (1) of the bank. */
  recency: ({ scope: { columns, basis } }) => {
    const { oldest, newest } = agesOf(columns, basis);
    return (doc) => coarse(newest > oldest ? clamped((columns.at[doc]! - oldest) / (newest - oldest)) : 1);
  },
  /** The best coverage and the best deviation in the bank: how well the question is answered by anything. */
  bestCoverage: ({ keywords, most }) => {
    const best = shareOf(most.own, keywords.ideal);
    return () => best;
  },
  bestMeaning: ({ meaning }) => {
    const best = (meaning?.most ?? 0) / 4;
    return () => best;
  },
} satisfies Record<string, Feature>;

export type FeatureName = keyof typeof features;
export const featureNames = Object.keys(features) as readonly FeatureName[];
const tellers: readonly Feature[] = Object.values(features);

/** The numbers of each candidate, in the order of `overview.docs`; those of one follow each other, in the order of `featureNames`. */
export interface Features {
  readonly all: Float64Array;
  /** Of the candidate at a place. */
  row(place: number): Float64Array;
}

/** Read in one go, as `candidatesOf` was called. */
export function featuresOf(question: TakenQuestion, scope: Scope, overview: Overview): Features {
  const { docs } = overview;
  const sight = { ...overview, question, scope };
  const width = tellers.length;
  const all = new Float64Array(docs.length * width);
  for (let name = 0; name < width; name++) {
    const tell = tellers[name]!(sight);
    for (let place = 0; place < docs.length; place++) all[place * width + name] = tell(docs[place]!, place);
  }
  return { all, row: (place) => all.subarray(place * width, (place + 1) * width) };
}

/** At most 1: what is not current may say more than all that is. */
function aboveUsual(cosine: number): number {
  return (cosine - 0.8) * 10;
}

function isAcross({ meaning, question: { isShipped } }: Sight, doc: number): boolean {
  return isShipped && meaning !== undefined && meaning.cosine(doc) > -2 && meaning.isAcross(doc);
}

function shareOf(value: number, of: number): number {
  return value > 0 ? value / Math.max(of, value) : 0;
}

function clamped(value: number): number {
  return Math.min(1, Math.max(0, value));
}

/** To four digits: whether a write came a millisecond earlier says nothing, and must change nothing. */
function coarse(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

/** The doc after it in its session; -1 for none, or where it was said after the basis: it is not known there. */
function afterAt({ columns, basis }: Scope, doc: number): number {
  const after = columns.after[doc]!;
  return after >= 0 && after < basis.isCurrent.length && basis.standing[after]! > 0 ? after : -1;
}

function nearIn({ meaning }: Sight, doc: number): number {
  const near = doc >= 0 ? (meaning?.share(doc) ?? 0) : 0;
  return Number.isNaN(near) ? 0 : near;
}

function sessionFit({ sessions, scope }: Sight, doc: number): number {
  const session = scope.columns.session[doc]!;
  return session >= 0 ? sessions[session]! : 0;
}

function hasFlag({ scope }: Sight, doc: number, flag: number): number {
  return scope.columns.flags[doc]! & flag ? 1 : 0;
}

function wishOf(sight: Sight, doc: number): number {
  const { asker } = sight.question;
  const isAskers = asker === undefined || sight.scope.columns.speaker[doc]! === asker;
  return isAskers ? hasFlag(sight, doc, docFlags.tellsWish) : 0;
}

function occurrences(postings: readonly TermPostings[], doc: number): number {
  let found = 0;
  for (const each of postings) if (occursIn(each, doc)) found++;
  return found;
}

const rarityOf = toldOncePerTerm((_columns, { isCurrent, count }, { docs }) => {
  let occurs = 0;
  for (let at = 0; at < docs.length; at++) occurs += isCurrent[docs[at]!] ?? 0;
  return Math.log(1 + (count - occurs + 0.5) / (occurs + 0.5));
});

/** Per candidate, how rare the beginnings are that it shares with the question, as a share of the best candidate's. */
function partsOf(sight: Sight): Float64Array {
  const { docs, among } = sight;
  const sums = rareParts(sight, docs);
  let most = 0;
  for (const sum of among === docs ? sums : rareParts(sight, among)) most = Math.max(most, sum);
  return sums.map((sum) => shareOf(sum, most));
}

function rareParts({ question, scope: { columns, basis } }: Sight, docs: readonly number[]): Float64Array {
  const sums = new Float64Array(docs.length);
  for (const postings of question.prefixes) {
    const weight = rarityOf(columns, basis, postings);
    for (let place = 0; place < docs.length; place++) if (occursIn(postings, docs[place]!)) sums[place]! += weight;
  }
  return sums;
}

const currentSpeakers = toldOnce(({ speaker }, { isCurrent }) => {
  const known = new Set<number>();
  for (let doc = 0; doc < isCurrent.length; doc++)
    if (isCurrent[doc] === 1 && speaker[doc]! > 0) known.add(speaker[doc]!);
  return known;
});

/** The one speaker of current memories whom the question names; undefined where it names none, or several. */
function speakerOf({ speakers }: TakenQuestion, { columns, basis }: Scope): number | undefined {
  if (speakers.length === 0) return undefined;
  const known = currentSpeakers(columns, basis);
  const named = speakers.filter((speaker) => known.has(speaker));
  return named.length === 1 ? named[0] : undefined;
}

/** When the oldest and the newest of what is current happened. */
const agesOf = toldOnce(({ at }, { isCurrent }) => {
  let oldest = Infinity;
  let newest = -Infinity;
  for (let doc = 0; doc < isCurrent.length; doc++) {
    if (isCurrent[doc] !== 1) continue;
    const moment = at[doc]!;
    if (moment < oldest) oldest = moment;
    if (moment > newest) newest = moment;
  }
  return { oldest, newest };
});
