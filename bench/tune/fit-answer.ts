import { featureNames } from '#query/recall/ranking/features.js';
import type { Form } from '#query/recall/ranking/form.js';
import type { Weights } from '#query/recall/ranking/weights.js';
import { chances } from './fit-weights.js';
import { fitLogistic } from './logistic.js';
import type { Sample } from './samples.js';

/** What tells whether anything in a bank answers a question, as `services/query/recall/ranking/holds-answer.ts` weighs it. */
export const answerFeatures = ['odds', 'bestCoverage', 'bestInContext', 'nearest'] as const;

export interface FittedAnswer {
  readonly intercept: number;
  readonly of: Readonly<Record<(typeof answerFeatures)[number], number>>;
}

interface AnswerRow {
  readonly sample: Sample;
  readonly values: Float64Array;
  /** One of the first five is relevant. */
  readonly isFound: boolean;
}

const at = (name: (typeof featureNames)[number]): number => featureNames.indexOf(name);
/** It is not told where one of so many of the best is written in the other language and the best is as likely as this. */
const amongBest = 2;
const likelyAcross = 0.05;
/** About the very subject, which looks like an answer by every measure here (AUC .25 on BEAM): not learned from. */
const sameSubject = /abstention/;

export function answerRows(samples: readonly Sample[], weights: Readonly<Record<Form, Weights>>): AnswerRow[] {
  return samples.flatMap((sample) => {
    const own = chances(weights[sample.form], sample);
    const order = [...own.keys()].sort((one, other) => own[other]! - own[one]!);
    const rows = order.map((place) => sample.features[place]!);
    if (rows.length === 0) return [];
    const best = own[order[0]!]!;
    if (best >= likelyAcross && rows.slice(0, amongBest).some((row) => row[at('meaningAcross')] === 1)) return [];
    const most = (name: (typeof featureNames)[number]) => Math.max(...rows.map((row) => row[at(name)]!));
    const values = Float64Array.of(
      Math.log(best / (1 - best)),
      rows[0]![at('bestCoverage')]!,
      most('coverageInContext'),
      most('meaningCosine'),
    );
    return [{ sample, values, isFound: order.slice(0, 5).some((place) => sample.relevant[place]) }];
  });
}

/** Questions with an answer and without count the same, and each set as much as each other. */
export function fitAnswer(rows: readonly AnswerRow[]): FittedAnswer {
  const used = rows.filter(({ sample }) => !sameSubject.test(sample.category));
  const kind = ({ sample }: AnswerRow) => `${sample.set} ${sample.total > 0}`;
  const counts = new Map<string, number>();
  for (const row of used) counts.set(kind(row), (counts.get(kind(row)) ?? 0) + 1);
  const { intercept, weights } = fitLogistic({
    values: used.map(({ values }) => values),
    observed: used.map(({ sample }) => sample.total > 0),
    counts: used.map((row) => 1 / counts.get(kind(row))!),
  });
  const of = Object.fromEntries(answerFeatures.map((name, place) => [name, rounded(weights[place]!)]));
  return { intercept: rounded(intercept), of: of as FittedAnswer['of'] };
}

/** Per category of a set: to how many questions nothing is said below a cut; of those with an answer, only where it was found. */
export function withheld(rows: readonly AnswerRow[], { intercept, of }: FittedAnswer, cut: number) {
  const told = new Map<string, { asked: number; empty: number }>();
  for (const { sample, values, isFound } of rows) {
    if (sample.total > 0 && !isFound) continue;
    let sum = intercept;
    answerFeatures.forEach((name, place) => {
      sum += of[name] * values[place]!;
    });
    const name = `${sample.set}: ${sample.total > 0 ? 'found' : sample.category}`;
    const own = told.get(name) ?? { asked: 0, empty: 0 };
    own.asked++;
    if (1 / (1 + Math.exp(-sum)) < cut) own.empty++;
    told.set(name, own);
  }
  return told;
}

/** Fitted without each conversation in turn (of sets with up to three banks, without every fifth question), and what is withheld then. */
export function withheldCrossValidated(rows: readonly AnswerRow[], cut: number) {
  const banks = [...new Set(rows.map(({ sample }) => `${sample.set} ${sample.bank}`))];
  const perSet = new Map<string, number>();
  for (const bank of banks) perSet.set(bank.split(' ')[0]!, (perSet.get(bank.split(' ')[0]!) ?? 0) + 1);
  const fold = ({ sample }: AnswerRow, place: number) =>
    perSet.get(sample.set)! > 3 ? banks.indexOf(`${sample.set} ${sample.bank}`) % 5 : place % 5;
  const folds = rows.map(fold);
  const told = new Map<string, { asked: number; empty: number }>();
  for (const each of new Set(folds)) {
    const fitted = fitAnswer(rows.filter((_, place) => folds[place] !== each));
    const own = withheld(
      rows.filter((_, place) => folds[place] === each),
      fitted,
      cut,
    );
    for (const [name, { asked, empty }] of own) {
      const sum = told.get(name) ?? { asked: 0, empty: 0 };
      told.set(name, { asked: sum.asked + asked, empty: sum.empty + empty });
    }
  }
  return told;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
