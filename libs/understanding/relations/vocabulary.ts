import { decisions } from './packs/decisions.js';
import { engineering } from './packs/engineering.js';
import { people } from './packs/people.js';
import {
  type ObjectKind,
  type Phrase,
  phraseOf,
  type RelationKind,
  type RelationPack,
  relationPack,
} from './relation-pack.js';

/** A phrase of a relation, ready to be looked for. */
export interface Anchor extends Phrase {
  readonly relation: Relation;
}

export interface Relation {
  readonly name: string;
  readonly holds: 'one' | 'many';
  readonly halfLifeDays: number;
  readonly object: ObjectKind;
}

/** Relations with their phrases by what these begin with: a word in English, a character in Chinese. */
export interface Vocabulary {
  readonly relations: ReadonlyMap<string, Relation>;
  readonly english: ReadonlyMap<string, readonly Anchor[]>;
  readonly chinese: ReadonlyMap<string, readonly Anchor[]>;
  readonly packs: readonly RelationPack[];
}

export const shippedPacks: readonly RelationPack[] = [people, engineering, decisions];

let shipped: Vocabulary | undefined;
/** The packs that ship, put together once. */
export function shippedVocabulary(): Vocabulary {
  shipped ??= vocabularyOf(shippedPacks);
  return shipped;
}

/**
 * A vocabulary with one pack more. A relation that is there already takes the pack's phrases besides its own, and the pack's
 * word on how many values it holds and how fast it ages.
 * @throws ZodError when the pack is not one
 */
export function extend(vocabulary: Vocabulary, pack: unknown): Vocabulary {
  return vocabularyOf([...vocabulary.packs, relationPack.parse(pack)]);
}

export function vocabularyOf(packs: readonly RelationPack[]): Vocabulary {
  const kinds = new Map<string, RelationKind>();
  for (const { relations } of packs)
    for (const kind of relations) {
      const before = kinds.get(kind.name);
      kinds.set(kind.name, {
        ...kind,
        en: [...(before?.en ?? []), ...(kind.en ?? [])],
        zh: [...(before?.zh ?? []), ...(kind.zh ?? [])],
      });
    }
  const relations = new Map<string, Relation>();
  const english = new Map<string, Anchor[]>();
  const chinese = new Map<string, Anchor[]>();
  for (const kind of kinds.values()) {
    const { name, holds, halfLifeDays } = kind;
    const relation = { name, holds, halfLifeDays, object: kind.object ?? 'name' };
    relations.set(name, relation);
    for (const words of kind.en ?? []) add(english, words, relation, (between) => /^[^ ]+/.exec(between)![0]);
    for (const words of kind.zh ?? []) add(chinese, words, relation, (between) => between[0]!);
  }
  for (const anchors of [...english.values(), ...chinese.values()])
    anchors.sort((one, other) => lengthOf(other) - lengthOf(one));
  return { relations, english, chinese, packs };
}

function add(to: Map<string, Anchor[]>, words: string, relation: Relation, firstOf: (between: string) => string): void {
  const phrase = phraseOf(words);
  if (!phrase) return;
  const first = firstOf(phrase.between);
  to.set(first, [...(to.get(first) ?? []), { ...phrase, relation }]);
}

function lengthOf({ between, through, tail }: Phrase): number {
  return between.length + through.length + tail.length;
}
