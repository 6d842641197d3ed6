import type { AuditOutput, Reading } from '#contract/audit.js';
import type { Output } from '../output.js';
import { renderItem } from '../render/items.js';
import { shown, wrapped } from '../render/prose.js';

/** Three readings side by side, then where and why they differ. */
export function renderBelief({ readings, because = [], notes = [], basis }: AuditOutput, out: Output): string {
  const { true_now, true_then, answered_then } = readings!;
  return [
    ...[true_now, true_then, answered_then].map((reading) => renderReading(reading, out)),
    ...because.map((sentence) => wrapped(shown(sentence), out.width, '')),
    ...notes.map((note) => `Note: ${note}`),
    out.style('dim', `basis ${basis}`),
  ].join('\n\n');
}

function renderReading({ title, items, basis }: Reading, out: Output): string {
  const lines = items.length > 0 ? items.map((item) => renderItem(item, out, '  ', basis)) : ['  (nothing)'];
  return [out.style('bold', title), ...lines].join('\n');
}
