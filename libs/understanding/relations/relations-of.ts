import { mentionsOf } from '../entities/entities-of.js';
import type { Entity } from '../entities/entity.js';
import { aliasesInBrackets } from './bracketed-aliases.js';
import { type Last, read, stands } from './read-phrase.js';
import type { StatedRelation } from './relation.js';
import type { Statement } from './sentence.js';
import { type Anchor, shippedVocabulary, type Vocabulary } from './vocabulary.js';

/** A text is read up to here, in characters: what a longer one states is more than 64 things. */
const longestRead = 16_384;
const mostRelations = 64;
/** Phrases of the vocabulary that are looked at in one text: a text of nothing else is no text. */
const mostTries = 500;

export interface RelationOptions {
  /** Who says it: what I and 我 stand for. */
  readonly speaker?: string | undefined;
  /** By default the packs that ship. */
  readonly vocabulary?: Vocabulary | undefined;
}

/** What a text says of what it names, by the phrases of a vocabulary. Questions state nothing. */
export function relationsOf(whole: string, options: RelationOptions = {}): StatedRelation[] {
  const text = whole.length > longestRead ? whole.slice(0, longestRead) : whole;
  const mentions = mentionsOf(text, options).sort(
    (one, other) => one.words[0] - other.words[0] || other.words[1] - one.words[1],
  );
  return findRelations(text, mentions, options);
}

/** @param mentions by where they begin, longer ones first */
export function findRelations(text: string, mentions: readonly Entity[], options: RelationOptions): StatedRelation[] {
  const vocabulary = options.vocabulary ?? shippedVocabulary();
  const lower = text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()).replaceAll('’', "'");
  const statement: Statement = { text, lower, mentions, speaker: options.speaker };
  const found = aliasesInBrackets(statement, vocabulary);
  let last: Last | undefined;
  let tries = 0;
  for (let at = 0; at < text.length && tries < mostTries && found.length < mostRelations; ) {
    const anchors = anchorsAt(lower, at, vocabulary);
    let next = at + 1;
    for (const anchor of anchors ?? []) {
      const room = stands(lower, at, anchor);
      if (!room) continue;
      tries++;
      const stated = read(statement, anchor, at, room, last);
      if (!stated) continue;
      found.push(...stated.relations);
      last = { subject: stated.subject, at };
      next = Math.max(next, anchor.tail === '' ? room.from : at + anchor.between.length);
      break;
    }
    at = next;
  }
  return found;
}

const letter = /[a-z\d_]/;

function anchorsAt(lower: string, at: number, vocabulary: Vocabulary): readonly Anchor[] | undefined {
  const unit = lower.charCodeAt(at);
  if (unit >= 0x3400 && unit <= 0x9fff) return vocabulary.chinese.get(lower[at]!);
  const begins =
    unit === 39
      ? at > 0 && letter.test(lower[at - 1]!)
      : letter.test(lower[at]!) && (at === 0 || !/[a-z\d_'-]/.test(lower[at - 1]!));
  if (!begins) return undefined;
  let end = at + 1;
  while (end < lower.length && end - at < 24 && lower.charCodeAt(end) > 32 && lower.charCodeAt(end) < 128) end++;
  const chunk = lower.slice(at, end);
  return vocabulary.english.get(chunk) ?? vocabulary.english.get(chunk.replace(/[^a-z]+$/, ''));
}
