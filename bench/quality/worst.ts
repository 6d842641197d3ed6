import { oneLine } from './asking.js';
import { type Cause, causeOf, causes } from './cause.js';
import type { Text } from './material.js';
import { type Answered, idsOf } from './measure.js';
import { scoreOf } from './metrics.js';

/** A question that was answered badly, with what stands in the way. */
export interface Worst {
  readonly set: string;
  readonly id: string;
  readonly category: string;
  readonly question: string;
  readonly ndcg: number;
  readonly baselineNdcg: number;
  /** What was asked for, and where it was found (from 1 on); without a place: not among the first ten. */
  readonly wanted: readonly { readonly text: string; readonly place?: number }[];
  /** What was found above the first that was asked for. */
  readonly above: readonly string[];
  readonly cause: Cause;
}

const mostAbove = 5;
const mostWanted = 4;
const mostOfSet = 200;

/** The lowest nDCG first; among equals what the baseline answers better. */
export function worstFirst<T extends Pick<Worst, 'ndcg' | 'baselineNdcg'>>(all: readonly T[]): T[] {
  return [...all].sort((one, other) => one.ndcg - other.ndcg || other.baselineNdcg - one.baselineNdcg);
}

/**
 * The questions of a set with the lowest nDCG at `min_score` 0. Meant to be read, never to be kept: texts of sets have licences of
 * their own.
 */
export function worstOf(set: string, answers: readonly Answered[], texts: readonly Text[]): Worst[] {
  const scored = answers
    .filter(({ question }) => question.relevant.size > 0)
    .map((answer) => {
      const ids = idsOf(answer.found, answer.question).slice(0, 10);
      const { relevant } = answer.question;
      return {
        answer,
        ids,
        ndcg: scoreOf(ids, relevant).ndcgAt10,
        baselineNdcg: scoreOf(answer.baseline, relevant).ndcgAt10,
      };
    });
  return worstFirst(scored)
    .slice(0, mostOfSet)
    .map(({ answer: { question, found }, ids, ndcg, baselineNdcg }) => {
      const first = ids.findIndex((id) => question.relevant.has(id));
      const wholeOf = (id: string): string =>
        texts.find((text) => text.bank === question.bank && (question.bySession ? text.session : text.id) === id)
          ?.text ?? id;
      const above = found.slice(0, Math.min(mostAbove, first < 0 ? mostAbove : first)).map(({ text }) => text);
      return {
        set,
        id: question.id,
        category: question.category,
        question: oneLine(question.text),
        ndcg,
        baselineNdcg,
        wanted: [...question.relevant].slice(0, mostWanted).map((id) => {
          const place = ids.indexOf(id) + 1;
          return { text: oneLine(wholeOf(id)), ...(place ? { place } : {}) };
        }),
        above,
        cause: causeOf(question.text, [...question.relevant].map(wholeOf), above),
      };
    });
}

/** Sorted by what stands in the way, the most frequent first. */
export function worstList(worst: readonly Worst[]): string {
  const groups = (Object.keys(causes) as Cause[])
    .map((cause) => ({ cause, own: worst.filter((each) => each.cause === cause) }))
    .filter(({ own }) => own.length > 0)
    .sort((one, other) => other.own.length - one.own.length);
  return groups
    .map(({ cause, own }) => `${own.length} of ${worst.length}: ${causes[cause]}\n${own.map(told).join('\n')}`)
    .join('\n\n');
}

function told({ set, id, category, question, ndcg, baselineNdcg, wanted, above }: Worst): string {
  return [
    `${set} ${id} (${category}): nDCG ${ndcg.toFixed(2)}, BM25 ${baselineNdcg.toFixed(2)}`,
    `  ? ${question}`,
    ...wanted.map(({ text, place }) => `  ${place ? `${place}.` : '✗ '} ${text}`),
    ...above.map((text) => `    ↑ ${text}`),
  ].join('\n');
}
