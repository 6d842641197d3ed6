import type { MemoryItem } from '#contract/memory-item.js';
import { printable } from '../mcp/render/shown.js';
import { preview } from '../recall/preview.js';
import type { Language } from '../words/language.js';

/** What a sentence is about, in quotes. */
export function quoted(
  { content }: { readonly content?: MemoryItem['content'] | undefined },
  language: Language,
): string {
  if (content === undefined) return language === 'zh' ? '已被删除的内容' : 'what was erased';
  // The sentence around it has a full stop of its own.
  return `“${short(preview(content)).replace(/[.。]$/, '')}”`;
}

/** On one line, without what misleads an eye. */
export function short(text: string): string {
  return printable(text).replace(/\s+/g, ' ').trim();
}
