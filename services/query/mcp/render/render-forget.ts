import type { ForgetInput, ForgetOutput } from '#contract/forget.js';
import { counted, grouped, shownContent } from './shown.js';

/** Memories that a dry run names in the text; the structured answer has up to 100. */
const mostShown = 20;

export function renderForget(output: ForgetOutput, input: ForgetInput): string {
  switch (output.status) {
    case 'forgotten':
      return `Forgotten: ${counted(output.forgotten.length, 'memory', 'memories')}${ids(output)}. memory_restore brings back what should not have gone.`;
    case 'unchanged':
      return input.memory_id ? 'It was forgotten already.' : 'No current memory matches: nothing was forgotten.';
    case 'dry_run':
      return dryRun(output);
  }
}

function ids({ forgotten }: ForgetOutput): string {
  return forgotten.length > 0 && forgotten.length <= 5 ? ` (${forgotten.join(', ')})` : '';
}

function dryRun({ would_forget = [], total = would_forget.length, confirm }: ForgetOutput): string {
  if (total === 0) return 'No current memory matches: nothing would be forgotten.';
  const lines = would_forget
    .slice(0, mostShown)
    .map(({ memory_id, preview }) => `- ${shownContent(preview, 120).replace(/\s+/g, ' ')} · id ${memory_id}`);
  const more = total > lines.length ? [`… and ${grouped(total - lines.length)} more.`] : [];
  const how = confirm ? [`To forget exactly these, call again with the same filter and confirm: ${confirm}`] : [];
  return [
    `Nothing is forgotten yet. ${counted(total, 'memory', 'memories')} would go:`,
    ...lines,
    ...more,
    ...how,
  ].join('\n');
}
