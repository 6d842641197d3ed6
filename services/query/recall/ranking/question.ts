import { shippedModel } from '#understanding/embeddings/e5/shipped-model.js';
import type { Embedder } from '#understanding/embeddings/embedder.js';
import type { AskedQuestion } from '#understanding/questions/asked.js';
import { understandQuestion } from '#understanding/questions/understand-question.js';
import { analyseQuestion } from '#understanding/terms/analyse-question.js';
import { fieldTerm, foldedSpeaker, prefixOf, speakerTerm } from '#understanding/terms/field-terms.js';
import { termHash } from '#understanding/terms/term-hash.js';
import type { TermPostings } from '../../bank-index/term-postings.js';
import { type View, withoutVectors } from '../../basis/open-view.js';
import { unavailableNote } from '../../basis/view-vectors.js';
import type { AskedSlots } from '../legs/slot-scores.js';
import { roomForCosines } from '../legs/survey.js';
import { withOtherNames } from './other-names.js';
import { type HashedTerm, readTerms } from './read-terms.js';

/** A name that the question names. */
export interface AskedName {
  readonly postings: TermPostings;
  /** Its number in the bank's columns, where the bank has it. */
  readonly number: number | undefined;
}

/** A question with everything that is looked up for it: what follows is computed from this and the bank's columns alone. */
export interface TakenQuestion {
  readonly understood: AskedQuestion;
  /** By the text: own words. */
  readonly terms: readonly HashedTerm[];
  /** How each term was written. */
  readonly words: ReadonlyMap<string, string>;
  /** By the beginnings of longer words. */
  readonly prefixes: readonly TermPostings[];
  /** By the words of keys. */
  readonly keys: readonly TermPostings[];
  readonly tags: readonly TermPostings[];
  /** The same, for memories that are asked for by name. */
  readonly slots: AskedSlots;
  readonly entities: readonly AskedName[];
  /** Numbers of speakers whom the question may name. */
  readonly speakers: readonly number[];
  /** Number of whoever asks, where turns are told apart by role (`user`). */
  readonly asker: number | undefined;
  /** Cosine per doc; undefined where no vectors count. NaN of a doc without one. */
  readonly cosines: Float32Array | undefined;
  /** Whether they are the shipped model's: where its cosines lie is known, where another model's do is not. */
  readonly isShipped: boolean;
}

/** Before it is compared with the bank's vectors. */
export type LookedUp = Omit<TakenQuestion, 'cosines' | 'isShipped'>;

const saysSomething = /[\p{L}\p{N}]/u;
/** Characters of a question that are embedded: models read about as many pieces and no more. */
const embeddedLength = 2_000;

/** What a question means by itself, at the moment that it is asked about. */
export function understood(query: string, { point }: Pick<View, 'point'>): AskedQuestion {
  return understandQuestion(query.trim(), { now: new Date(point.at).toISOString() });
}

/**
 * The question's vector, and the view as it then is: where the model fails, one without vectors. What the model reads no end of is cut by
 * itself; cut here, a pasted page costs no more than that.
 */
export async function embedded(
  asked: AskedQuestion,
  view: View,
  embedder: Embedder | undefined,
): Promise<{ view: View; vector?: Float32Array }> {
  // To what says nothing in words something is always the nearest in meaning, and none of it was asked for.
  if (!view.vectors || !embedder || !asksSomething(asked)) return { view };
  try {
    const [vector] = await embedder.embed([asked.text.slice(0, embeddedLength)], 'query', {
      space: view.vectors.space,
    });
    return { view, vector: vector! };
  } catch (error) {
    return { view: withoutVectors(view, unavailableNote(error instanceof Error ? error.message : undefined)) };
  }
}

/** "Who am I?" does, by its question word and what that is about; "the of and", 是什么 and a full stop do not. */
function asksSomething({ text, bare }: AskedQuestion): boolean {
  return saysSomething.test(text) && (!bare || analyseQuestion(text).counts.size > 0);
}

/** Looks up what a question means in a bank, but for its vector. */
export async function takeQuestion(query: string, asked: AskedQuestion, view: View): Promise<LookedUp> {
  const { keys, index, reader } = view;
  const { indexKey } = keys;
  const { columns } = index;
  const analysed = analyseQuestion(asked.text);
  const hashed = (terms: Iterable<string>) => [...new Set(terms)].slice(0, fieldTerms);
  const postingsOf = (terms: readonly string[]): Promise<TermPostings[]> =>
    index.terms.read(
      reader,
      terms.map((term) => termHash(indexKey, term)),
      columns.docs,
    );
  const words = [...analysed.counts.keys()];
  const names = hashed(asked.entities.map(({ folded }) => fieldTerm('entity', folded)));
  const prefixes = words.map((term) => prefixOf(term)).filter((prefix) => prefix !== undefined);
  const [terms, ofPrefixes, ofKeys, ofTags, ofNames] = await Promise.all([
    readTerms(analysed, { index, keys, reader }),
    postingsOf(hashed(prefixes.map((prefix) => fieldTerm('prefix', prefix)))),
    postingsOf(hashed(words.map((term) => fieldTerm('key', term)))),
    postingsOf(hashed(words.map((term) => fieldTerm('tag', term)))),
    postingsOf(names),
  ]);
  const ofTelling = (_: unknown, at: number): boolean =>
    analysed.telling.size === 0 || analysed.telling.has(words[at]!);
  const speakerNumber = (name: string) => columns.speakers.get(termHash(indexKey, speakerTerm(name)));
  const entities = ofNames.map((postings, at) => ({
    postings,
    number: columns.entityNumbers.get(termHash(indexKey, names[at]!)),
  }));
  return {
    understood: asked,
    ...(await withOtherNames(query, { terms, entities }, view)),
    words: analysed.words,
    prefixes: ofPrefixes,
    keys: ofKeys,
    tags: ofTags,
    slots: { words: ofKeys, keys: ofKeys.filter(ofTelling), tags: ofTags.filter(ofTelling) },
    speakers: [...new Set(speakersIn(query).map(speakerNumber))].filter((number) => number !== undefined),
    asker: speakerNumber('user'),
  };
}

/**
 * The question with how near each doc is to it, as far as it has a vector and vectors count. That is scratch of this process: it is ranked
 * before anything is waited for.
 */
export function compared(
  question: LookedUp,
  { index: { columns }, vectors }: View,
  vector: Float32Array | undefined,
): TakenQuestion {
  if (!vectors || !vector) return { ...question, cosines: undefined, isShipped: false };
  return {
    ...question,
    cosines: vectors.index.cosines(vector, columns.docs, vectors.mark, roomForCosines(columns)),
    isShipped: vectors.space.model === shippedModel,
  };
}

/** Of a pasted page, so many terms are looked for in each field. */
const fieldTerms = 64;
const roles = new Set(['user', 'assistant', 'human', 'system']);
const latinWord = /[\p{Script=Latin}][\p{L}\p{M}\p{N}'’-]*/gu;
const hanRun = /\p{Script=Han}+/gu;
/** Characters of a Chinese name. */
const hanName = 4;

/** Whatever might be a speaker's name: words, and stretches of Chinese runs. */
function speakersIn(query: string): string[] {
  const text = query.slice(0, 500);
  const names = new Set<string>();
  for (const [word] of text.matchAll(latinWord)) {
    const name = foldedSpeaker(word.replace(/['’]s?$/, ''));
    if (name !== undefined && !roles.has(name)) names.add(name);
  }
  for (const [run] of text.matchAll(hanRun)) {
    const characters = [...run];
    for (let from = 0; from < characters.length; from++)
      for (let to = from + 1; to <= Math.min(from + hanName, characters.length); to++)
        names.add(characters.slice(from, to).join(''));
  }
  return [...names];
}
