import { docFlags } from '#views/doc-flags.js';
import type { Columns } from '../../bank-index/columns.js';
import type { TermPostings } from '../../bank-index/term-postings.js';
import { occursIn } from '../legs/occurs-in.js';
import { isWithin, nearestOf } from '../legs/time-scores.js';
import type { Overview, Scope } from './candidates.js';
import type { TakenQuestion } from './question.js';

/** What a candidate is weighed by, in the order of the numbers. */
export const featureNames = [
  /** BM25 of its own text, as a share of the best of the bank. */
  'words',
  /** The same with the text before it. */
  'wordsInContext',
  /** BM25 as a share of what a text made of nothing but the question would reach. */
  'coverage',
  'coverageInContext',
  /** BM25 of the text before it and of the one after. */
  'wordsBefore',
  'wordsAfter',
  /** Words that begin as words of the question do. */
  'partsOfWords',
  /** Nearness of meaning, from next to nothing (0) to the bank's best (1). */
  'meaning',
  /** Standing among docs of its language, in deviations, divided by 4. */
  'meaningStands',
  /** The cosine of the turn after it, in whose vector it is the context. */
  'meaningAfter',
  'meaningBefore',
  /** How well the best of its session fit. */
  'session',
  /** That, times how well it fits itself. */
  'sessionAndFit',
  /** ln(1 + terms) / 4 */
  'length',
  'isQuestion',
  /** The question names one speaker, and this is the one, or another. */
  'speakerNamed',
  'otherSpeakerNamed',
  /** Said by the one who asks rather than by the assistant, in banks that tell these apart. */
  'saidByAsker',
  /** A time is asked for, and it tells one. */
  'tellsTime',
  /** A count is asked for, and it tells a number. */
  'tellsNumber',
  /** It happened in what the question asks about, or near it. */
  'inTime',
  'nearTime',
  /** It names what the question names, or something told with it. */
  'names',
  /** Share of its key that the question has, and of the question that its tags have. */
  'key',
  'tags',
  /** Where it stands between the oldest (0) and the newest (1) of the bank. */
  'recency',
  /** The best coverage and the best deviation in the bank: how well the question is answered by anything. */
  'bestCoverage',
  'bestMeaning',
] as const;
export type FeatureName = (typeof featureNames)[number];

/** The numbers of each candidate, in the order of `overview.docs`. */
export function featuresOf(question: TakenQuestion, scope: Scope, overview: Overview): Float64Array[] {
  const { columns, basis, found } = scope;
  const { keywords, most } = overview;
  const parts = partsOf(question.prefixes, columns, overview, scope);
  const tags = question.tags.length;
  const named = speakerOf(question, scope);
  const ages = agesOf(scope);
  const { understood, asker } = question;
  const bestCoverage = keywords.ideal > 0 ? most.own / keywords.ideal : 0;
  const bestMeaning = (overview.meaning?.most ?? 0) / 4;
  const share = (value: number, of: number): number => (of > 0 ? value / of : 0);
  const meaning = (doc: number): number => {
    const near = doc >= 0 ? (overview.meaning?.share(doc) ?? 0) : 0;
    return Number.isNaN(near) ? 0 : near;
  };
  const rough = overview.docs.map((doc) => overview.rough[doc]!);
  const [most0, least0] = [Math.max(...rough), Math.min(...rough)];
  return overview.docs.map((doc, at) => {
    const before = columns.before[doc]!;
    const following = columns.after[doc]!;
    // One that was said after the basis is not known there.
    const after =
      following >= 0 && following < basis.isCurrent.length && basis.standing[following]! > 0 ? following : -1;
    const own = keywords.own[doc]!;
    const window = keywords.window[doc]!;
    const session = columns.session[doc]!;
    const flags = columns.flags[doc]!;
    const sessionFit = session >= 0 ? overview.sessions[session]! : 0;
    const speaker = columns.speaker[doc]!;
    const stands = overview.meaning?.standing(doc) ?? 0;
    const moment = columns.at[doc]!;
    const about = found?.timesOf(doc) ?? [];
    const values: Record<FeatureName, number> = {
      words: share(own, most.own),
      wordsInContext: share(window, most.window),
      coverage: share(own, keywords.ideal),
      coverageInContext: share(window, keywords.ideal),
      wordsBefore: before >= 0 ? share(keywords.own[before]!, most.own) : 0,
      wordsAfter: after >= 0 ? share(keywords.own[after]!, most.own) : 0,
      partsOfWords: parts[at]!,
      meaning: meaning(doc),
      meaningStands: stands > -99 ? stands / 4 : 0,
      meaningAfter: meaning(after),
      meaningBefore: meaning(before),
      session: sessionFit,
      sessionAndFit: sessionFit * (most0 > least0 ? (rough[at]! - least0) / (most0 - least0) : 0),
      length: Math.log1p(columns.length[doc]!) / 4,
      isQuestion: flags & docFlags.question ? 1 : 0,
      speakerNamed: named !== undefined && speaker === named ? 1 : 0,
      otherSpeakerNamed: named !== undefined && speaker > 0 && speaker !== named ? 1 : 0,
      saidByAsker: asker !== undefined && speaker === asker ? 1 : 0,
      tellsTime: understood.wanted === 'when' && flags & docFlags.mentionsTime ? 1 : 0,
      tellsNumber: isNumberWanted(understood.wanted) && flags & docFlags.mentionsNumber ? 1 : 0,
      inTime: [moment, ...about].some((each) => isWithin(each, overview.times)) ? 1 : 0,
      nearTime: coarse(nearestOf(moment, about, overview.times)),
      names: share(overview.entities.get(doc) ?? 0, overview.mostEntity),
      key: columns.keyLength[doc]! > 0 ? occurrences(question.keys, doc) / columns.keyLength[doc]! : 0,
      tags: tags > 0 ? occurrences(question.tags, doc) / tags : 0,
      recency: coarse(ages(moment)),
      bestCoverage,
      bestMeaning,
    };
    return Float64Array.from(featureNames, (name) => values[name]);
  });
}

function isNumberWanted(wanted: string | undefined): boolean {
  return wanted === 'count';
}

/** To four digits: whether a write came a millisecond earlier says nothing, and must change nothing. */
function coarse(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

function occurrences(postings: readonly TermPostings[], doc: number): number {
  let found = 0;
  for (const each of postings) if (occursIn(each, doc)) found++;
  return found;
}

/** Per candidate, how rare the beginnings are that it shares with the question, as a share of the best candidate's. */
function partsOf(prefixes: readonly TermPostings[], _columns: Columns, { docs }: Overview, { basis }: Scope): number[] {
  const sums = docs.map(() => 0);
  for (const postings of prefixes) {
    let occurs = 0;
    for (const doc of postings.docs) occurs += basis.isCurrent[doc] ?? 0;
    const weight = Math.log(1 + (basis.count - occurs + 0.5) / (occurs + 0.5));
    docs.forEach((doc, at) => {
      if (occursIn(postings, doc)) sums[at]! += weight;
    });
  }
  const most = Math.max(0, ...sums);
  return sums.map((sum) => (most > 0 ? sum / most : 0));
}

/** The one speaker of current memories whom the question names; undefined where it names none, or several. */
function speakerOf({ speakers }: TakenQuestion, { columns, basis }: Scope): number | undefined {
  if (speakers.length === 0) return undefined;
  const known = new Set<number>();
  for (let doc = 0; doc < basis.isCurrent.length && known.size < 2; doc++)
    if (basis.isCurrent[doc] === 1 && speakers.includes(columns.speaker[doc]!)) known.add(columns.speaker[doc]!);
  return known.size === 1 ? [...known][0] : undefined;
}

/** Where a moment lies between the oldest and the newest of what is current. */
function agesOf({ columns, basis }: Scope): (moment: number) => number {
  let oldest = Infinity;
  let newest = -Infinity;
  for (let doc = 0; doc < basis.isCurrent.length; doc++) {
    if (basis.isCurrent[doc] !== 1) continue;
    const moment = columns.at[doc]!;
    if (moment < oldest) oldest = moment;
    if (moment > newest) newest = moment;
  }
  return (moment) => (newest > oldest ? Math.min(1, Math.max(0, (moment - oldest) / (newest - oldest))) : 1);
}
