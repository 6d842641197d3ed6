import { chineseKnown, chineseOrganisation } from './chinese-known.js';
import { chinesePerson, mayBeginName } from './chinese-names.js';
import { codedKind } from './coded-name.js';
import { bare, englishName, hasCapital, lower, type Reading } from './english-names.js';
import type { Entity, EntityKind, EntityOptions } from './entity.js';
import { foldName } from './fold-name.js';
import { knownName, wordsFrom } from './names-known.js';
import { type Token, tokensOf } from './tokens.js';

/** A name longer than this is data. */
const longestName = 256;
/** A text names at most this many things: a list of ten thousand would tell nothing, and a row has to hold them. */
const mostEntities = 256;
const mostMentions = 1_024;

/**
 * What a text names: people, organisations, places, tools, works, versions, paths, identifiers, addresses. By rules and small
 * dictionaries, in one pass; each folded name once, where it stands first. A person's name of several words also gives its first.
 */
export function entitiesOf(text: string, options: EntityOptions = {}): Entity[] {
  const found = new Map<string, Entity>();
  const spelt = new Set<string>();
  eachName(text, options, (from, to, kind) => {
    const name = text.slice(from, to);
    if (spelt.has(name)) return true;
    spelt.add(name);
    const entity = entityOf(name, from, kind);
    if (entity.folded !== '' && !found.has(entity.folded)) found.set(entity.folded, entity);
    return found.size < mostEntities;
  });
  return [...found.values()];
}

/** Every place where a text names something, in no order: the same name as often as it stands. At most 1,024. */
export function mentionsOf(text: string, options: EntityOptions = {}): Entity[] {
  const found: Entity[] = [];
  eachName(text, options, (from, to, kind) => {
    found.push(entityOf(text.slice(from, to), from, kind));
    return found.length < mostMentions;
  });
  return found;
}

function entityOf(name: string, from: number, kind: EntityKind): Entity {
  const plain = foldName(name);
  const folded = kind === 'version' ? plain.replace(/^v(?=\d)/, '') : plain;
  return { name, folded, kind, words: [from, from + name.length] };
}

/** @param found called with every name; answers whether to go on */
function eachName(
  text: string,
  options: EntityOptions,
  found: (from: number, to: number, kind: EntityKind) => boolean,
): void {
  let more = true;
  const add: Add = (from, to, kind) => {
    if (more && to > from && to - from <= longestName) more = found(from, to, kind);
  };
  const reading: Reading = { text, tokens: tokensOf(text), speaker: speakerWords(options.speaker) };
  let index = 0;
  while (index < reading.tokens.length && more) {
    const token = reading.tokens[index]!;
    index = token.han ? addHan(reading, index, add) : addLatin(reading, index, add);
  }
  if (more) addTitles(text, add);
}

type Add = (from: number, to: number, kind: EntityKind) => void;

const none: ReadonlySet<string> = new Set();
function speakerWords(speaker: string | undefined): ReadonlySet<string> {
  return speaker
    ? new Set(
        foldName(speaker)
          .split(' ')
          .filter((word) => word.length > 1),
      )
    : none;
}

function addHan(reading: Reading, index: number, add: Add): number {
  const { text, tokens } = reading;
  const { from, to } = tokens[index]!;
  let free = from;
  for (let at = from; at < to; ) {
    const unit = text.charCodeAt(at);
    const name =
      chineseKnown(text, to, at) ??
      chineseOrganisation(text, free, to, at) ??
      (mayBeginName(unit) ? chinesePerson(text, from, to, at, at === free) : undefined);
    if (name) {
      add(name.from, name.to, name.kind);
      free = name.to;
      at = name.to;
    } else at++;
  }
  return index + 1;
}

/** Adds what begins at the token; returns the token to go on with. */
function addLatin(reading: Reading, index: number, add: Add): number {
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
  if (!hasCapital(text, token)) return index + 1;
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
    const known = knownName(count === 1 ? word : text.slice(token.from, end).toLowerCase());
    if (!known) continue;
    if (known.needs !== 'nothing' && !hasCapital(text, token)) continue;
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

const titled = /《([^《》\n]{1,60})》/g;
function addTitles(text: string, add: Add): void {
  if (!text.includes('《')) return;
  for (const match of text.matchAll(titled)) add(match.index + 1, match.index + 1 + match[1]!.length, 'work');
}
