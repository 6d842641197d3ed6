import { codedKind } from './coded-name.js';
import { bare, englishName, hasCapital, isGivenName, lower, lowered, type Reading } from './english-names.js';
import type { Add } from './entity.js';
import { knownName, wordsFrom } from './names-known.js';
import type { Token } from './tokens.js';

/** A name longer than this is data. */
export const longestName = 256;

/** Adds what begins at the token; returns the token to go on with. */
export function addLatin(reading: Reading, index: number, add: Add): number {
  const { text, tokens } = reading;
  const token = tokens[index]!;
  if (token.to - token.from > longestName) return index + 1;
  const dictionary = addKnown(reading, index, add);
  if (dictionary > 0) return index + dictionary;
  if (token.compound) {
    const coded = addCoded(text, token, add);
    if (coded) return afterPosition(tokens, index, coded);
  }
  if (isInnerCapital(text, token)) {
    add(token.from, token.to, 'identifier');
    return index + 1;
  }
  if (!hasCapital(text, token)) {
    if (reading.anyCase && isGivenName(reading, index)) add(token.from, endOf(text, token), 'person');
    return index + 1;
  }
  const name = englishName(reading, index);
  if (!name) return index + 1;
  const from = tokens[name.first]!.from;
  const last = tokens[name.end - 1]!;
  add(from, endOf(text, last), name.kind);
  if (name.kind === 'person' && name.end - name.first > 1) add(from, endOf(text, tokens[name.first]!), 'person');
  return name.end;
}

/** Adds the longest name of the dictionaries that begins at the token; returns how many tokens it has, 0 for none. */
function addKnown(reading: Reading, index: number, add: Add): number {
  const { text, tokens } = reading;
  const token = tokens[index]!;
  if (token.to - token.from > 24) return 0;
  const word = lower(reading, index);
  for (let count = wordsFrom(word); count > 0; count--) {
    const last = tokens[index + count - 1];
    if (!last || !inOneRow(tokens, index, count)) continue;
    const end = endOf(text, last);
    const known = knownName(count === 1 ? word : lowered(text.slice(token.from, end)));
    if (!known) continue;
    const shown = hasCapital(text, token);
    if (known.needs !== 'nothing' && !shown && !(reading.anyCase && known.needs === 'capital')) continue;
    if (known.needs === 'inside' && token.starts) continue;
    // `Paris Miller`, `Georgia Tech`: part of a longer name.
    if (known.needs !== 'nothing' && count === 1 && known.kind === 'place' && isWithinName(reading, index)) continue;
    add(token.from, end, known.kind);
    if (known.kind === 'tool') addRelease(text, token, tokens[index + count], end, add);
    return count;
  }
  return 0;
}

/** `PostgreSQL 16`, `Node 20.1`: the tool with its version is a name, too. */
function addRelease(text: string, token: Token, next: Token | undefined, end: number, add: Add): void {
  if (!next?.compound || next.from - end > 1) return;
  const release = text.slice(next.from, Math.min(next.to, next.from + 24));
  if (/^v?\d{1,4}(?:\.\d+){0,3}$/i.test(release)) add(token.from, next.to, 'version');
}

function addCoded(text: string, token: Token, add: Add): number {
  const before = text[token.from - 1] ?? '';
  const chunk = text.slice(token.from, token.to);
  const kind = codedKind(chunk, before);
  if (!kind) {
    if (before === '#' && /^\d{1,7}$/.test(chunk)) {
      add(token.from - 1, token.to, 'identifier');
      return token.to;
    }
    return 0;
  }
  const from = kind === 'path' ? pathStart(text, token.from) : token.from;
  const to = kind === 'url' && chunk.includes('://') ? addressEnd(text, token.to) : endOf(text, token);
  add(from, to, kind);
  return to;
}

/** With what leads a path: `/`, `./`, `../`, `~/`. */
function pathStart(text: string, from: number): number {
  let start = from;
  while (start > 0 && from - start < 8 && './~\\'.includes(text[start - 1]!)) start--;
  return start;
}

const inAddress = /[\w\-./?=&%#~+:@,;!$'*]/;
function addressEnd(text: string, from: number): number {
  let to = from;
  while (to < text.length && to - from < longestName && inAddress.test(text[to]!)) to++;
  while (to > from && '.,;:!?\'"'.includes(text[to - 1]!)) to--;
  return to;
}

function afterPosition(tokens: readonly Token[], index: number, position: number): number {
  let next = index + 1;
  while (next < tokens.length && tokens[next]!.from < position) next++;
  return next;
}

function inOneRow(tokens: readonly Token[], index: number, count: number): boolean {
  for (let at = index + 1; at < index + count; at++) if (!tokens[at]!.follows) return false;
  return true;
}

function isWithinName({ text, tokens }: Reading, index: number): boolean {
  const next = tokens[index + 1];
  return next?.follows === true && !next.starts && !next.han && !next.compound && hasCapital(text, next);
}

/** getUserName: a capital within a word that begins without. */
function isInnerCapital(text: string, token: Token): boolean {
  const unit = text.charCodeAt(token.from);
  if (unit < 97 || unit > 122 || token.compound) return false;
  return camel.test(text.slice(token.from, Math.min(token.to, token.from + 64)));
}
const camel = /^[a-z]+[A-Z][A-Za-z]+$/;

function endOf(text: string, token: Token): number {
  return token.from + bare(text.slice(token.from, token.to)).length;
}
