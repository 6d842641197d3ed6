import { chineseKnown, chineseOrganisation } from './chinese-known.js';
import { chinesePerson, mayBeginName } from './chinese-names.js';
import type { Reading } from './english-names.js';
import type { Add, Entity, EntityKind, EntityOptions } from './entity.js';
import { foldName } from './fold-name.js';
import { addLatin, longestName } from './latin-names.js';
import { tokensOf } from './tokens.js';

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
  const { speaker, anyCase = false } = options;
  const reading: Reading = { text, tokens: tokensOf(text), speaker: speakerWords(speaker), anyCase };
  let index = 0;
  while (index < reading.tokens.length && more) {
    const token = reading.tokens[index]!;
    index = token.han ? addHan(reading, index, add) : addLatin(reading, index, add);
  }
  if (more) addTitles(text, add);
}

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

const titled = /《([^《》\n]{1,60})》/g;
function addTitles(text: string, add: Add): void {
  if (!text.includes('《')) return;
  for (const match of text.matchAll(titled)) add(match.index + 1, match.index + 1 + match[1]!.length, 'work');
}
