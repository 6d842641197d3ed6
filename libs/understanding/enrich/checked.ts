import type { MemoryEnriched } from '#events/memory-enriched.js';
import { foldName } from '../entities/fold-name.js';
import type { Vocabulary } from '../relations/vocabulary.js';
import type { ModelAnswer } from './answer.js';

export type Findings = MemoryEnriched['content'];

export interface Checked {
  readonly findings: Findings;
  /** How much a model said that its text does not bear out, or that is no relation of the vocabulary. */
  readonly dropped: number;
}

/** Of a time, in milliseconds: what is longer than a century is nothing that a note names. */
const longestSpan = 101 * 366 * 86_400_000;

/**
 * What of a model's answer stands: names and quotes that the text has to the letter, relations of the vocabulary between what the text names,
 * times that are some. A model that makes something up does not get past its own quote.
 * @param speaker who says the text: a relation may be of them, named or as `i`
 */
export function checked(
  answer: ModelAnswer,
  text: string,
  { relations: known }: Vocabulary,
  speaker?: string | undefined,
): Checked {
  const folded = foldName(text);
  const said = new Set(['i', ...(speaker === undefined ? [] : [foldName(speaker)])]);
  const isNamed = (side: string): boolean => side !== '' && (said.has(side) || folded.includes(side));
  const entities = answer.entities.flatMap(({ name, kind }) => {
    const words = wordsOf(text, name);
    return words ? [{ name, kind, words }] : [];
  });
  const relations = answer.relations.flatMap(({ quote, relation, state, ...sides }) => {
    const words = wordsOf(text, quote);
    const [subject, object] = [foldName(sides.subject), foldName(sides.object)];
    const stands = words && known.has(relation) && isNamed(subject) && isNamed(object) && subject !== object;
    return stands ? [{ subject, relation, object, state, words }] : [];
  });
  const dates = answer.dates.flatMap(({ quote, from, to, grain, exact }) => {
    const words = wordsOf(text, quote);
    const [start, end] = [Date.parse(from), Date.parse(to)];
    const stands = words && start < end && end - start < longestSpan;
    return stands
      ? [{ from: new Date(start).toISOString(), to: new Date(end).toISOString(), grain, exact, words }]
      : [];
  });
  const given = answer.entities.length + answer.relations.length + answer.dates.length;
  return {
    findings: { entities, relations, dates },
    dropped: given - entities.length - relations.length - dates.length,
  };
}

function wordsOf(text: string, quote: string): [number, number] | undefined {
  const at = text.indexOf(quote);
  return at < 0 ? undefined : [at, at + quote.length];
}
