import type { AuditOutput, Reading } from '#contract/audit.js';
import type { Language } from '#query/words/language.js';
import type { Output } from '../output.js';
import { itemWords } from '../render/item-words.js';
import { renderItem } from '../render/items.js';
import { shown, wrapped } from '../render/prose.js';

/**
 * Three readings side by side, then where and why they differ.
 * @param language of the question: titles and sentences come in it
 */
export function renderBelief(
  { readings, because = [], notes = [], basis }: AuditOutput,
  out: Output,
  language: Language,
): string {
  const say = itemWords[language];
  const { true_now, true_then, answered_then } = readings!;
  return [
    ...[true_now, true_then, answered_then].map((reading) => renderReading(reading, out, language)),
    ...because.map((sentence) => wrapped(shown(sentence), out.width, '')),
    ...notes.map(say.note),
    out.style('dim', say.basis(basis)),
  ].join('\n\n');
}

function renderReading({ title, items, basis }: Reading, out: Output, language: Language): string {
  const { nothing } = itemWords[language];
  const lines = items.length > 0 ? items.map((item) => renderItem(item, out, '  ', basis, language)) : [`  ${nothing}`];
  return [out.style('bold', title), ...lines].join('\n');
}
