import { percentiles } from '../load/percentiles.js';
import { type Answered, idsOf } from './measure.js';
import { givenOf, meanOf, precisionOf, type Score, scoreOf } from './metrics.js';
import { calibrationError, type Prediction, reliability, type Tenth } from './reliability.js';
import { currentFirst } from './updates.js';

/** What came of some of a set's questions. */
export interface GroupFigures {
  readonly group: string;
  readonly questions: number;
  /** Missing for questions that have no answer. */
  readonly all?: Score;
  readonly cut?: Score;
  readonly baseline?: Score;
  readonly legs: Readonly<Record<string, Score>>;
  /** With the default cut, of the first five of each answer (what is given without `top_k`). */
  readonly precision?: number;
  /** Share of questions that nothing is answered to, with the default cut. */
  readonly empty: number;
}

export interface SetFigures {
  readonly set: string;
  readonly memories: number;
  /** Until all could be found by keywords, and from then until all was embedded; 0 where an earlier run did it. */
  readonly seconds: { readonly importing: number; readonly embedding: number };
  readonly groups: readonly GroupFigures[];
  /** How often the current statement stands above the stale one, by us and by the baseline. */
  readonly updates?: { readonly of: number; readonly ours: number; readonly baseline: number };
  /** Answers with something that must not be served; only where a set names such. */
  readonly mustNotServed?: { readonly of: number; readonly ours: number };
  readonly reliability: readonly Tenth[];
  readonly calibrationError: number;
  /** Milliseconds of a question over stdio, its embedding included. */
  readonly ms: { readonly p50: number; readonly p99: number };
}

/** Sets with more categories than this name relations of a knowledge base; one by one they say nothing. */
const mostCategories = 12;
const givenByDefault = 5;

export function figuresOf(
  answers: readonly Answered[],
  about: Pick<SetFigures, 'set' | 'memories' | 'seconds'>,
): SetFigures {
  const answerable = answers.filter(({ question }) => question.relevant.size > 0);
  const groups = [...groupsOf(answerable)].map(([group, members]) => groupFigures(group, members));
  const without = answers.filter(({ question }) => question.relevant.size === 0);
  const nothing = without.length ? [groupFigures('no answer in memory', without)] : [];
  const tenths = reliability(answers.flatMap(predictionsOf));
  const updates = answers.filter(({ question }) => question.update);
  const mustNot = answers.filter(({ question }) => question.mustNot.size > 0);
  const ms = percentiles(answers.map((answer) => answer.ms));
  return {
    ...about,
    groups: [...withPrecisionOfAll(groups, answers), ...nothing],
    ...(updates.length ? { updates: updatesOf(updates) } : {}),
    ...(mustNot.length
      ? { mustNotServed: { of: mustNot.length, ours: mustNot.filter(servesWhatItMustNot).length } }
      : {}),
    reliability: tenths,
    calibrationError: calibrationError(tenths),
    ms: { p50: ms.p50, p99: ms.p99 },
  };
}

/** All questions first, then by category, by language where there are two, and by whether they name their subject where that is known. */
function groupsOf(answers: readonly Answered[]): Map<string, Answered[]> {
  const groups = new Map<string, Answered[]>();
  const add = (name: string, answer: Answered) => groups.set(name, [...(groups.get(name) ?? []), answer]);
  const distinct = (of: (answer: Answered) => unknown) => new Set(answers.map(of)).size;
  for (const answer of answers) add('all', answer);
  const categories = distinct(({ question }) => question.category);
  if (categories > 1 && categories <= mostCategories)
    for (const answer of answers) add(answer.question.category, answer);
  if (distinct(({ question }) => question.language) > 1)
    for (const answer of answers) add(`in ${answer.question.language}`, answer);
  for (const answer of answers) {
    const { named } = answer.question;
    if (named !== undefined) add(named ? 'names its subject' : 'does not name its subject', answer);
  }
  return groups;
}

function groupFigures(group: string, answers: readonly Answered[]): GroupFigures {
  const labelled = answers.filter(({ question }) => question.relevant.size > 0);
  const mean = (idsFound: (answer: Answered) => readonly string[]) =>
    meanOf(labelled.map((answer) => scoreOf(idsFound(answer), answer.question.relevant)));
  const legs = [...new Set(labelled.flatMap((answer) => Object.keys(answer.legs)))];
  return {
    group,
    questions: answers.length,
    ...(labelled.length
      ? {
          all: mean(({ found, question }) => idsOf(found, question)),
          cut: mean(({ cut, question }) => idsOf(cut, question)),
          baseline: mean(({ baseline }) => baseline),
        }
      : {}),
    legs: Object.fromEntries(legs.map((leg) => [leg, mean((answer) => answer.legs[leg] ?? [])])),
    ...precision(answers),
    empty: answers.filter(({ cut }) => cut.length === 0).length / answers.length,
  };
}

/** What is answered to questions without an answer is wrong: the row of all counts it. */
function withPrecisionOfAll(groups: readonly GroupFigures[], answers: readonly Answered[]): GroupFigures[] {
  return groups.map((each) => (each.group === 'all' ? { ...each, ...precision(answers) } : each));
}

function precision(answers: readonly Answered[]): { precision?: number } {
  const share = precisionOf(
    answers.map(({ cut, question }) =>
      givenOf(idsOf(cut.slice(0, givenByDefault), question), question.relevant, question.related),
    ),
  );
  return share === undefined ? {} : { precision: share };
}

function predictionsOf({ found, question }: Answered): Prediction[] {
  return found.slice(0, 10).map(({ id, session, score }) => ({
    score,
    relevant: question.relevant.has(question.bySession ? (session ?? '') : id),
  }));
}

function updatesOf(answers: readonly Answered[]) {
  const count = (ids: (answer: Answered) => readonly string[]) =>
    answers.filter((answer) => currentFirst(ids(answer), answer.question.update!)).length;
  return {
    of: answers.length,
    ours: count(({ found }) => found.map(({ id }) => id)),
    baseline: count(({ baseline }) => baseline),
  };
}

function servesWhatItMustNot({ cut, question }: Answered): boolean {
  return cut.slice(0, givenByDefault).some(({ id }) => question.mustNot.has(id));
}
