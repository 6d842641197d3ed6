import { mentionsChange } from '../changes/mentions-change.js';
import { mentionsNumber } from '../dates/mentions-number.js';
import { mentionsTime } from '../dates/mentions-time.js';
import { entitiesOf } from '../entities/entities-of.js';
import { foldName } from '../entities/fold-name.js';
import { type Language, languageOf } from '../language/language.js';
import { isQuestion } from '../questions/is-question.js';
import { analyseDocument } from '../terms/analyse-document.js';
import { fieldTerm, foldedSpeaker, prefixTermOf } from '../terms/field-terms.js';
import type { TermCounts } from '../terms/terms.js';
import { tellsWish } from '../wishes/tells-wish.js';
import { contentText } from './content-text.js';
import { spokenBy } from './spoken-by.js';

/** What of a version is drawn from: its sealed part, as it was opened. */
export interface DrawnFrom {
  /** JSON text. */
  readonly content: string;
  readonly key?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** JSON text. */
  readonly metadata?: string | undefined;
  readonly subjects?: readonly string[] | undefined;
}

/** All that a version is found and weighed by. In the clear: whoever keeps it hashes it first. */
export interface DrawnDocument {
  /** Terms of the text and of the key. */
  readonly text: TermCounts;
  /** Number of those, repetitions included. */
  readonly length: number;
  /** Terms of fields (field-terms.ts): of the key, of tags, of entities, of beginnings of words. They count in no length. */
  readonly fields: TermCounts;
  /** Distinct terms of the key. */
  readonly keyLength: number;
  /** Whoever says it, folded. */
  readonly speaker: string | undefined;
  /** Names that it is about, folded, each once: those of its subjects, then those in its text. */
  readonly entities: readonly string[];
  readonly isQuestion: boolean;
  readonly mentionsTime: boolean;
  readonly mentionsNumber: boolean;
  readonly mentionsChange: boolean;
  readonly tellsWish: boolean;
  readonly language: Language;
  /** UTF-8 bytes of the text. */
  readonly bytes: number;
}

/** Entities kept of one version: more than that are a list of names, which says little about each. */
const keptEntities = 32;
/** Characters of a text that are looked at for names. */
const looked = 8_000;

/** Deterministic in its arguments: what a rebuild draws is what was drawn. @param inSession whether the version is part of a session */
export function drawDocument({ content, key, tags, metadata, subjects }: DrawnFrom, inSession: boolean): DrawnDocument {
  const text = contentText(content);
  const { counts, length } = analyseDocument(text);
  const fields = new Map<string, number>();
  const ofKey = key === undefined ? undefined : analyseDocument(key);
  ofKey?.counts.forEach((times, term) => {
    add(fields, fieldTerm('key', term), times);
  });
  const terms = ofKey ? sum(counts, ofKey.counts) : counts;
  for (const tag of tags ?? [])
    analyseDocument(tag).counts.forEach((times, term) => {
      add(fields, fieldTerm('tag', term), times);
    });
  terms.forEach((times, term) => {
    const prefix = prefixTermOf(term);
    if (prefix !== undefined) add(fields, prefix, times);
  });
  const start = text.length > looked ? text.slice(0, looked) : text;
  const { name, from } = spokenBy(text, metadata, inSession);
  const entities = entitiesIn(text, from, name, subjects);
  for (const entity of entities) add(fields, fieldTerm('entity', entity), 1);
  return {
    text: terms,
    length: length + (ofKey?.length ?? 0),
    fields,
    keyLength: ofKey?.counts.size ?? 0,
    speaker: name === undefined ? undefined : foldedSpeaker(name),
    entities,
    isQuestion: isQuestion(text),
    mentionsTime: mentionsTime(text),
    mentionsNumber: mentionsNumber(text),
    mentionsChange: mentionsChange(start),
    tellsWish: tellsWish(start),
    language: languageOf(text),
    bytes: Buffer.byteLength(text, 'utf8'),
  };
}

function sum(counts: TermCounts, others: TermCounts): TermCounts {
  const all = new Map(counts);
  others.forEach((times, term) => {
    add(all, term, times);
  });
  return all;
}

// Not a closure: bundled, each that is made with a name costs as much as looking up a term.
function add(counts: Map<string, number>, term: string, times: number): void {
  counts.set(term, (counts.get(term) ?? 0) + times);
}

/** @param from where what was said begins: who says it is named there by no more than a transcript */
function entitiesIn(
  text: string,
  from: number,
  speaker: string | undefined,
  subjects: readonly string[] | undefined,
): string[] {
  const names = new Set<string>();
  for (const subject of subjects ?? []) names.add(foldName(subject));
  names.delete('');
  for (const { folded, words } of entitiesOf(text.length > looked ? text.slice(0, looked) : text, { speaker }))
    if (words[0] >= from) names.add(folded);
  return [...names].slice(0, keptEntities);
}
