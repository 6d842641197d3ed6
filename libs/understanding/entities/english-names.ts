import { englishFunctionWords } from '../terms/english-function-words.js';
import { compatible, folded } from '../terms/fold.js';
import { organisationEndings } from './data/english-organisations.js';
import { givenNames, personVerbs, titles, wordNames } from './data/english-people.js';
import { placeBeginnings, placeEndings } from './data/english-places.js';
import { linking, plainCapitals } from './data/english-words.js';
import type { EntityKind } from './entity.js';
import type { Token } from './tokens.js';

const organisationEnd = new Set(organisationEndings);
const placeEnd = new Set(placeEndings);
const placeBeginning = new Set(placeBeginnings);
/** A name has at most this many words. */
const longestName = 6;

/** Words of a text as the rules for names see them. */
export interface Reading {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** The words of the speaker's name, in lower case. */
  readonly speaker: ReadonlySet<string>;
  readonly anyCase: boolean;
}

/** A name of capitalised words: from which token to which (exclusive), what it is; undefined when there is none. */
export interface FoundName {
  readonly first: number;
  readonly end: number;
  readonly kind: EntityKind;
}

/** The name that begins with the capitalised token at `index`. */
export function englishName(reading: Reading, index: number): FoundName | undefined {
  const end = nameEnd(reading, index);
  let first = index;
  if (reading.tokens[first]!.starts && !opensWithName(reading, first, end)) {
    if (end - first === 1 || opens(reading, first)) first++;
    if (first >= end) return undefined;
  }
  if (titles.has(lower(reading, first)) && first + 1 < end) return { first: first + 1, end, kind: 'person' };
  const only = end - first === 1;
  if (only && saysNothing(reading, first)) return undefined;
  return { first, end, kind: kindOf(reading, first, end) };
}

/** Whether a word in small letters is a given name and nothing else. */
export function isGivenName(reading: Reading, index: number): boolean {
  const word = lower(reading, index);
  return word.length > 2 && word !== 'jan' && givenNames.has(word);
}

/** Whether the token has a capital (in Latin letters, of any width). */
export function hasCapital(text: string, token: Token): boolean {
  const unit = text.charCodeAt(token.from);
  if (unit >= 65 && unit <= 90) return true;
  if (unit < 128) return false;
  return /^\p{Lu}/u.test(text.slice(token.from, token.from + 1));
}

export function lower({ text, tokens }: Reading, index: number): string {
  const token = tokens[index];
  return token ? lowered(bare(text.slice(token.from, Math.min(token.to, token.from + 64)))) : '';
}

/** In small letters of the usual width, without accents: Tomás is a known name, too. */
export function lowered(word: string): string {
  return ascii.test(word) ? word.toLowerCase() : folded(compatible(word));
}
const ascii = /^[\0-\x7f]*$/;

/** Without the possessive ending. */
export function bare(word: string): string {
  return word.length > 2 && possessive.test(word) ? word.slice(0, -2) : word;
}
const possessive = /['’]s$/i;

function nameEnd(reading: Reading, index: number): number {
  const { text, tokens } = reading;
  let end = index + 1;
  while (end < tokens.length && end - index < longestName) {
    if (possessive.test(text.slice(tokens[end - 1]!.to - 2, tokens[end - 1]!.to))) break;
    const next = tokens[end]!;
    // `Dr. Miller`: a full stop lies between them.
    const joins =
      next.follows || (end === index + 1 && titles.has(lower(reading, index)) && next.from - tokens[index]!.to === 2);
    if (!joins || next.starts || next.han) break;
    if (hasCapital(text, next)) {
      if (plainCapitals.has(lower(reading, end)) || isShouted(text, next)) break;
      end++;
    } else {
      const after = tokens[end + 1];
      if (!linking.has(lower(reading, end)) || !after?.follows || after.han || !hasCapital(text, after)) break;
      if (plainCapitals.has(lower(reading, end + 1))) break;
      end += 2;
    }
  }
  return end;
}

/** Whether the first word of a sentence is a name: its capital says nothing. */
function opensWithName(reading: Reading, first: number, end: number): boolean {
  const word = lower(reading, first);
  if (givenNames.has(word) || reading.speaker.has(word)) return true;
  // PayBridge: no word of a sentence has a second capital.
  if (
    innerCapital.test(
      reading.text.slice(
        reading.tokens[first]!.from,
        Math.min(reading.tokens[first]!.to, reading.tokens[first]!.from + 64),
      ),
    )
  )
    return true;
  if (!wordNames.has(word)) return false;
  const { text, tokens } = reading;
  if (end - first > 1 || possessive.test(text.slice(tokens[first]!.to - 2, tokens[first]!.to))) return true;
  return tokens[first + 1]?.follows === true && personVerbs.has(lower(reading, first + 1));
}

const innerCapital = /^[A-Z][a-z]+[A-Z][A-Za-z]*$/;

/** Whether the first word of a sentence only opens it: `Yesterday Anna`, `Visiting Zermatt`. */
function opens(reading: Reading, index: number): boolean {
  const word = lower(reading, index);
  if (englishFunctionWords.has(word) || plainCapitals.has(word) || openers.has(word)) return true;
  return /(?:ing|ed|ly)$/.test(word) || givenNames.has(lower(reading, index + 1));
}
const openers = new Set(
  `yesterday today tomorrow tonight met saw told asked called got went made took let's my our your his her their maybe perhaps also however meanwhile
  finally last next every since remember note use see try ask tell check add fix update set run new old dear love loves say says both`.split(
    /\s+/,
  ),
);

function saysNothing(reading: Reading, index: number): boolean {
  const word = lower(reading, index);
  const token = reading.tokens[index]!;
  if (token.to - token.from === 1 || plainCapitals.has(word) || englishFunctionWords.has(word)) return true;
  return isShouted(reading.text, token) && isShoutedBeside(reading, index);
}

const shouted = /^[A-Z'’]{2,}$/;
function isShouted(text: string, token: Token): boolean {
  const unit = text.charCodeAt(token.from + 1);
  return unit >= 65 && unit <= 90 && shouted.test(text.slice(token.from, Math.min(token.to, token.from + 64)));
}

/** THIS IS GREAT: a word in capitals beside another one is loud, no name. */
function isShoutedBeside({ text, tokens }: Reading, index: number): boolean {
  const [before, after] = [tokens[index - 1], tokens[index + 1]];
  return Boolean((before && !before.han && isShouted(text, before)) || (after && !after.han && isShouted(text, after)));
}

function kindOf(reading: Reading, first: number, end: number): EntityKind {
  const word = lower(reading, first);
  if (end - first > 1) {
    const last = lower(reading, end - 1);
    if (organisationEnd.has(last)) return 'organisation';
    if (placeEnd.has(last)) return 'place';
    if (/^(?:university|bank|ministry|institute|department) of /.test(`${word} ${lower(reading, first + 1)} `))
      return 'organisation';
  }
  if (givenNames.has(word) || wordNames.has(word) || reading.speaker.has(word)) return 'person';
  const before = reading.tokens[first]!.follows ? lower(reading, first - 1) : '';
  if (titles.has(before)) return 'person';
  return end - first > 1 && placeBeginning.has(word) ? 'place' : 'name';
}
