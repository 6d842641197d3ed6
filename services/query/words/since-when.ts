import type { MemoryItem } from '#contract/memory-item.js';
import { type Language, languageOf } from './language.js';
import { lengthOfTime, minute } from './stretch-of-time.js';

/**
 * What an item replaced, and when, as a sentence in the item's own language: `since 2 weeks ago, before that “MySQL 8.0”`. Undefined for
 * what replaced nothing.
 * @param at milliseconds, the moment of the answer's basis: asked again, the sentence is the same
 * @param shown how a content is put on one line
 */
export function sinceWhen(
  { content, valid_from, replaced }: Pick<MemoryItem, 'content' | 'valid_from' | 'replaced'>,
  at: number,
  shown: (content: string) => string,
): string | undefined {
  const before = replaced?.[0];
  if (!before) return undefined;
  const language = languageOf(typeof content === 'string' ? content : JSON.stringify(content));
  // A correction was true all along: what changed is what was believed of it.
  const from = Date.parse(before.system_to ?? valid_from);
  const say = words[language];
  return before.system_to === undefined
    ? say.replaced(since(at - from, language), shown(before.content))
    : say.corrected(since(at - from, language), shown(before.content));
}

const words = {
  en: {
    replaced: (since: string, before: string) => `${since}, before that “${before}”`,
    corrected: (since: string, before: string) => `known ${since}, until then believed “${before}”`,
  },
  zh: {
    replaced: (ago: string, before: string) => `始于 ${ago}，此前是“${before}”`,
    corrected: (ago: string, before: string) => `${ago}得知，此前以为是“${before}”`,
  },
} as const;

function since(millis: number, language: Language): string {
  const length = lengthOfTime(Math.abs(millis), language);
  if (language === 'zh') return millis < 0 ? `${length}后` : `${length}前`;
  if (millis < 0) return `since ${length} from then`;
  // Of what is shorter than any unit there is no moment to name.
  return millis < minute ? `for ${length}` : `since ${length} ago`;
}
