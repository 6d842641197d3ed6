import type { Entity } from '../entities/entity.js';
import { foldName } from '../entities/fold-name.js';
import type { StatedRelation } from './relation.js';
import type { Statement } from './sentence.js';
import type { Vocabulary } from './vocabulary.js';

/** An alias in brackets has at most so many characters. */
const longest = 24;

/**
 * 王伟（小王）, Robert (Bob), Amazon Web Services (AWS): what stands in brackets right behind a name and nothing else is its
 * other name when both are people, or when it is made of the name's first letters.
 */
export function aliasesInBrackets({ text, mentions }: Statement, { relations }: Vocabulary): StatedRelation[] {
  const relation = relations.get('alias');
  if (!relation) return [];
  const found: StatedRelation[] = [];
  for (const mention of mentions) {
    const inner = innerOf(text, mention.words[1]);
    if (!inner) continue;
    const [from, to] = inner;
    const other = text.slice(from, to);
    const known = mentions.find(({ words }) => words[0] === from && words[1] === to);
    if (!isAlias(mention, other, known)) continue;
    if (found.some(({ words }) => words[1] === to)) continue;
    const { holds, halfLifeDays } = relation;
    found.push({
      subject: mention.folded,
      relation: 'alias',
      object: foldName(other),
      holds,
      halfLifeDays,
      state: 'holds',
      words: [mention.words[0], to],
    });
    if (found.length >= 32) break;
  }
  return found;
}

function innerOf(text: string, end: number): readonly [number, number] | undefined {
  const at = text[end] === ' ' ? end + 1 : end;
  const mark = text[at];
  if (mark !== '(' && mark !== '（') return undefined;
  const inner = text.slice(at + 1, at + 1 + longest + 1);
  const close = inner.search(/[)）]/);
  return close > 0 ? [at + 1, at + 1 + close] : undefined;
}

function isAlias(mention: Entity, other: string, known: Entity | undefined): boolean {
  if (foldName(other) === mention.folded) return false;
  const initials = mention.name
    .split(/\s+/)
    .map((word) => word[0]!)
    .join('');
  if (initials.length > 1 && other.toUpperCase() === initials.toUpperCase()) return true;
  return mention.kind === 'person' && known?.kind === 'person';
}
