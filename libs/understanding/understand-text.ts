import type { DatedSpan } from './dates/dated.js';
import { datesOf } from './dates/dates-of.js';
import { entitiesOf } from './entities/entities-of.js';
import type { Entity } from './entities/entity.js';
import { type Language, languageOf } from './language/language.js';
import type { StatedRelation } from './relations/relation.js';
import type { RelationPack } from './relations/relation-pack.js';
import { relationsOf } from './relations/relations-of.js';
import { extend, shippedVocabulary, type Vocabulary } from './relations/vocabulary.js';

/** What the rules read in a text. */
export interface Understanding {
  readonly language: Language;
  readonly entities: readonly Entity[];
  readonly dates: readonly DatedSpan[];
  readonly relations: readonly StatedRelation[];
}

export interface TextOptions {
  /** ISO 8601: when it was said, which relative times are counted from. */
  readonly at: string;
  readonly speaker?: string | undefined;
  /** What the bank adds to the vocabulary that ships. */
  readonly packs?: readonly RelationPack[] | undefined;
}

const extended = new WeakMap<readonly RelationPack[], Vocabulary>();

/** Reads a text by rules: a function of its words, when it was said, who said it and the packs, and of nothing else. */
export function understandText(text: string, { at, speaker, packs }: TextOptions): Understanding {
  return {
    language: languageOf(text),
    entities: entitiesOf(text, { speaker }),
    dates: datesOf(text, { at }),
    relations: relationsOf(text, { speaker, vocabulary: vocabularyWith(packs) }),
  };
}

function vocabularyWith(packs: readonly RelationPack[] | undefined): Vocabulary {
  if (!packs || packs.length === 0) return shippedVocabulary();
  let vocabulary = extended.get(packs);
  if (!vocabulary) {
    vocabulary = packs.reduce<Vocabulary>((before, pack) => extend(before, pack), shippedVocabulary());
    extended.set(packs, vocabulary);
  }
  return vocabulary;
}
