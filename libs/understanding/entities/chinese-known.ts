import {
  chineseOrganisations,
  chinesePlaces,
  chineseTools,
  genericOwners,
  organisationEnds,
  placeEnds,
} from './data/chinese-gazetteer.js';
import type { EntityKind } from './entity.js';

/** A name within a run of Han characters. */
export interface FoundRun {
  readonly from: number;
  readonly to: number;
  readonly kind: EntityKind;
}

interface Entry {
  readonly word: string;
  readonly kind: EntityKind;
}

/** By first character, longest first. */
const entries = new Map<number, Entry[]>();
const begins = new Uint8Array(65_536);
const endBegins = new Uint8Array(65_536);
for (const [words, kind] of [
  [chinesePlaces, 'place'],
  [chineseOrganisations, 'organisation'],
  [chineseTools, 'tool'],
] as const) {
  for (const word of words) {
    const unit = word.charCodeAt(0);
    begins[unit] = 1;
    entries.set(unit, [...(entries.get(unit) ?? []), { word, kind }]);
  }
}
for (const list of entries.values()) list.sort((one, other) => other.word.length - one.word.length);
const ends = [...organisationEnds].sort((one, other) => other.length - one.length);
for (const word of ends) endBegins[word.charCodeAt(0)] = 1;
const generic = new Set(genericOwners);
/** Words that a name of an organisation does not reach over. */
const parting = new Set(
  '在从到去给和跟与是的了于被把向对让为由过进来回叫找说想要有也都就会能及或这那哪家所个间座名所新老大某各该本贵我你他她们读上考',
);
const longestOwner = 10;

/** The name of the dictionary that begins at `at`, with what extends it: 北京市, 北京大学. */
export function chineseKnown(text: string, end: number, at: number): FoundRun | undefined {
  const unit = text.charCodeAt(at);
  if (begins[unit] === 0) return undefined;
  for (const { word, kind } of entries.get(unit)!) {
    if (at + word.length > end || !text.startsWith(word, at)) continue;
    const to = at + word.length;
    if (kind !== 'place') return { from: at, to, kind };
    const organisation = endingAt(text, end, to);
    if (organisation) return { from: at, to: to + organisation, kind: 'organisation' };
    return { from: at, to: to < end && word.length === 2 && placeEnds.includes(text[to]!) ? to + 1 : to, kind };
  }
  return undefined;
}

/** The organisation whose ending (公司, 大学) begins at `at`: its name reaches back to a word that parts it. */
export function chineseOrganisation(text: string, from: number, end: number, at: number): FoundRun | undefined {
  if (endBegins[text.charCodeAt(at)] === 0) return undefined;
  const ending = endingAt(text, end, at);
  if (!ending) return undefined;
  let start = at;
  while (start > from && at - start < longestOwner && !parting.has(text[start - 1]!)) start--;
  const owner = text.slice(start, at);
  if (owner.length < 2 || generic.has(owner) || (at - start === longestOwner && start > from)) return undefined;
  return { from: start, to: at + ending, kind: 'organisation' };
}

function endingAt(text: string, end: number, at: number): number {
  if (at >= end || endBegins[text.charCodeAt(at)] === 0) return 0;
  return ends.find((each) => at + each.length <= end && text.startsWith(each, at))?.length ?? 0;
}
