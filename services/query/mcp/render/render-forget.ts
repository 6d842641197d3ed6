import type { ForgetInput, ForgetOutput } from '#contract/forget.js';
import { counted, grouped, shownContent } from './shown.js';

/** Memories that a dry run names in the text; the structured answer has up to 100. */
const mostShown = 20;

export function renderForget(output: ForgetOutput, input: ForgetInput): string {
  switch (output.status) {
    case 'forgotten':
      return `${input.mode === 'archive' ? 'Archived' : 'Forgotten'}: ${counted(output.forgotten.length, 'memory', 'memories')}${ids(output)}. memory_restore brings back what should not have gone.`;
    case 'unchanged':
      return input.memory_id
        ? `It was ${input.mode === 'archive' ? 'archived' : 'forgotten'} already.`
        : 'No current memory matches: nothing was forgotten.';
    case 'dry_run':
      return dryRun(output, input);
    case 'erased':
      return `Erased: ${counted(output.forgotten.length, 'memory', 'memories')}${ids(output)}. Nothing opens what they said any more; this cannot be undone. Erasure ${output.erasure?.id}.${left(output)}`;
    case 'erasing':
      return `The erasure of ${counted(output.forgotten.length, 'memory', 'memories')}${ids(output)} is on record as ${output.erasure?.id} and goes on by itself. It is not completed yet: ${output.erasure?.waits_for} Call again with the same confirm to see how it stands.${left(output)}`;
  }
}

function left({ erasure: { left = [] } = {} }: ForgetOutput): string {
  if (left.length === 0) return '';
  const [which, those] = left.length === 1 ? ['memory was', 'it'] : ['memories were', 'them'];
  return ` ${grouped(left.length)} ${which} changed meanwhile and left (${left.slice(0, mostShown).join(', ')}${left.length > mostShown ? ', …' : ''}): ask again to erase ${those} as well.`;
}

function ids({ forgotten }: ForgetOutput): string {
  return forgotten.length > 0 && forgotten.length <= 5 ? ` (${forgotten.join(', ')})` : '';
}

function dryRun(output: ForgetOutput, { mode, filter }: ForgetInput): string {
  const what = filter ? 'filter' : 'memory_id';
  const { would_forget = [], total = would_forget.length, confirm, erasure } = output;
  if (total === 0 && confirm === undefined)
    return mode === 'erase'
      ? 'No memory matches: nothing would be erased.'
      : 'No current memory matches: nothing would be forgotten.';
  const lines = would_forget
    .slice(0, mostShown)
    .map(({ memory_id, preview }) => `- ${shownContent(preview, 120).replace(/\s+/g, ' ')} · id ${memory_id}`);
  const more = total > lines.length ? [`… and ${grouped(total - lines.length)} more.`] : [];
  const done = doing[mode ?? 'retract'];
  const how = confirm
    ? [`To ${done.verb} exactly these, call again with the same ${what} and confirm: ${confirm}`]
    : [];
  return [
    `Nothing is ${done.done} yet. ${counted(total, 'memory', 'memories')} would go${mode === 'erase' ? ' for good' : ''}${total > 0 ? ':' : '.'}`,
    ...lines,
    ...more,
    ...alsoMentioned(erasure),
    ...how,
  ].join('\n');
}

const doing = {
  retract: { verb: 'forget', done: 'forgotten' },
  archive: { verb: 'archive', done: 'archived' },
  erase: { verb: 'erase', done: 'erased' },
} as const;

/** What names the person and stays, unless somebody takes it too. */
function alsoMentioned(erasure: ForgetOutput['erasure']): string[] {
  const { also_mentioned: total = 0, also_mentioned_in: mentions = [], names = [] } = erasure ?? {};
  if (total === 0) return [];
  const lines = mentions
    .slice(0, mostShown)
    .map(({ memory_id, preview }) => `- ${shownContent(preview, 120).replace(/\s+/g, ' ')} · id ${memory_id}`);
  const which = names.map((name) => JSON.stringify(name)).join(', ');
  return [
    `${counted(total, 'memory', 'memories')} more mention ${which} and would stay; erase them by their ids if they are about the person:`,
    ...lines,
  ];
}
