import { englishOrganisations, wordOrganisations } from './data/english-organisations.js';
import { englishPlaces } from './data/english-places.js';
import { capitalTools, plainTools } from './data/tools.js';
import type { EntityKind } from './entity.js';

/** A name that the dictionaries know. */
export interface KnownName {
  readonly kind: EntityKind;
  /** How sure a spelling has to be: in any letters · with a capital · with a capital inside a sentence. */
  readonly needs: 'nothing' | 'capital' | 'inside';
}

const known = new Map<string, KnownName>();
/** Of the first words of names of several words: how many words the longest has. */
const longest = new Map<string, number>();

function add(entries: readonly string[], kind: EntityKind, needs: KnownName['needs']): void {
  for (const entry of entries) {
    known.set(entry, { kind, needs });
    const words = entry.split(' ');
    if (words.length > 1) longest.set(words[0]!, Math.max(words.length, longest.get(words[0]!) ?? 0));
  }
}
add(englishOrganisations, 'organisation', 'capital');
add(wordOrganisations, 'organisation', 'inside');
add(capitalTools, 'tool', 'inside');
add(englishPlaces, 'place', 'capital');
add(plainTools, 'tool', 'nothing');

/** @param folded a name in lower case, one space between its words */
export function knownName(folded: string): KnownName | undefined {
  return known.get(folded);
}

/** How many words the longest known name has that begins with this word; 1 when none has several. */
export function wordsFrom(word: string): number {
  return longest.get(word) ?? 1;
}
