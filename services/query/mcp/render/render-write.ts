import type { WriteOutcome, WriteOutput } from '#contract/write.js';
import { counted } from './shown.js';

/** Failed items that are told one by one. */
const mostTold = 10;

export function renderWrite(output: WriteOutput): string {
  if (!output.items) return one(output);
  const tally = new Map<string, number>();
  for (const { status } of output.items) tally.set(status, (tally.get(status) ?? 0) + 1);
  const summary = [...tally].map(([status, count]) => `${count} ${status === 'error' ? 'failed' : status}`).join(', ');
  const held = tally.get('quarantined')
    ? ['What is quarantined is not served before a reviewer has looked at it.']
    : [];
  const failed = output.items.flatMap((item, index) => (item.error ? [`items[${index}]: ${one(item)}`] : []));
  const more = failed.length > mostTold ? [`… and ${counted(failed.length - mostTold, 'more failure')}.`] : [];
  return [`${counted(output.items.length, 'item')}: ${summary}.`, ...held, ...failed.slice(0, mostTold), ...more].join(
    '\n',
  );
}

function one({ status, memory_id, version, superseded, error }: WriteOutcome): string {
  if (error) return `${error.code}: ${error.message}${error.hint ? ` ${error.hint}` : ''}`;
  const memory = `${memory_id} (version ${version})`;
  switch (status) {
    case 'stored':
      return superseded ? `Revised ${memory}; it supersedes version ${superseded}.` : `Remembered as ${memory}.`;
    case 'unchanged':
      return `Known already: ${memory} says the same.`;
    case 'quarantined':
      return `Stored as ${memory}, but held back: nobody is served it until a reviewer has looked at it and released it.`;
    case 'conflict':
      return `Not stored: ${memory_id ?? 'the memory'} is at version ${version} now. Read it again, then revise what it says.`;
    case 'error':
      return 'Not stored.';
  }
}
