import type { MemoryItem } from '#contract/memory-item.js';
import type { Language } from '../words/language.js';
import { quoted } from './belief-words.js';

/** What each of the three readings lists. */
export interface Listed {
  readonly now: readonly MemoryItem[];
  /** Of that moment, by what is known today. */
  readonly known: readonly MemoryItem[];
  /** Of that moment, by what was known then. */
  readonly told: readonly MemoryItem[];
}

type ReadingName = keyof Listed;
const readings: readonly ReadingName[] = ['now', 'known', 'told'];
/** So many are quoted in one sentence: the readings themselves stand beside it. */
const quotedAtMost = 5;

/**
 * How the readings differ: which versions stand in one or two of them and not in the rest, a sentence for each such set of readings. None
 * where all three list the same versions of the same memories, in whatever order.
 */
export function differencesBetween(listed: Listed, language: Language): string[] {
  const all = readings.flatMap((name) => listed[name]);
  const versions = new Map(all.map((item) => [nameOf(item), item]));
  const names = readings.map((name) => new Set(listed[name].map(nameOf)));
  const memories = new Map<string, Set<number>>();
  for (const { id, version } of all) memories.set(id, (memories.get(id) ?? new Set()).add(version));
  const say = words[language];
  const groups = new Map<string, { readonly where: readonly ReadingName[]; readonly quotes: string[] }>();
  for (const [name, item] of versions) {
    const where = readings.filter((_, at) => names[at]!.has(name));
    if (where.length === readings.length) continue;
    const group = groups.get(where.join()) ?? { where, quotes: [] };
    groups.set(where.join(), group);
    const isOneOfSeveral = memories.get(item.id)!.size > 1;
    group.quotes.push(`${quoted(item, language)}${isOneOfSeveral ? say.version(item.version) : ''}`);
  }
  return [...groups.values()].map(({ where, quotes }) => {
    const list = say.list(quotes.slice(0, quotedAtMost), Math.max(0, quotes.length - quotedAtMost));
    if (where.length === 1) return say.only(where[0]!, list);
    return say.not(readings.find((name) => !where.includes(name))!, list);
  });
}

function nameOf({ id, version }: MemoryItem): string {
  return `${version} ${id}`;
}

interface Words {
  only(reading: ReadingName, list: string): string;
  not(reading: ReadingName, list: string): string;
  list(quotes: readonly string[], more: number): string;
  version(version: number): string;
}

const english: Readonly<Record<ReadingName, string>> = {
  now: 'what is true now',
  known: 'what is known today of that time',
  told: 'what this ledger would have answered then',
};
const chinese: Readonly<Record<ReadingName, string>> = {
  now: '现在的事实',
  known: '今天所知的当时的事实',
  told: '账本当时会给出的回答',
};

const words: Readonly<Record<Language, Words>> = {
  en: {
    only: (reading, list) => `Only among ${english[reading]}: ${list}.`,
    not: (reading, list) => `In the other two readings, but not among ${english[reading]}: ${list}.`,
    list: (quotes, more) => [...quotes, ...(more > 0 ? [`and ${more} more`] : [])].join(', '),
    version: (version) => ` (version ${version})`,
  },
  zh: {
    only: (reading, list) => `只在“${chinese[reading]}”中：${list}。`,
    not: (reading, list) => `在另外两种读法中有，在“${chinese[reading]}”中没有：${list}。`,
    list: (quotes, more) => `${quotes.join('、')}${more > 0 ? `，另有 ${more} 条` : ''}`,
    version: (version) => `（第 ${version} 版）`,
  },
};
