import { type Ask, type AuditInput, audits } from './audit.js';
import { HindsightError } from './errors.js';

const events: readonly Ask[] = ['who', 'retroactive', 'events'];
const written: readonly Ask[] = ['state', 'diff', ...events];
const rows: readonly Ask[] = ['state', 'diff', 'shown', ...events];

/** Which asks take a parameter: another one would leave it unread, and so answer more than was asked. */
export const asksThatTake: Readonly<Record<Exclude<keyof AuditInput, 'ask'>, readonly Ask[]>> = {
  query: ['belief'],
  at: ['belief', 'shown'],
  from: ['diff', 'shown', ...events],
  to: ['diff', 'shown', ...events],
  as_of: audits,
  basis: audits,
  valid_at: audits,
  valid_during: rows,
  memory_id: rows,
  key: rows,
  principal: rows,
  session_id: audits,
  task_id: audits,
  kinds: ['belief', ...written],
  tags: ['belief', ...written],
  subject: ['belief', ...written],
  include: ['belief', 'state'],
  by: ['retroactive'],
  limit: audits,
  cursor: rows,
};

/** What bounds these asks in time, where somebody tries to bound them by `from` and `to`. */
const instead: Partial<Record<Ask, string>> = {
  state: ' as_of or basis say what was known, valid_at or valid_during what was true; diff compares two moments.',
  belief: ' at is the moment that the question is about.',
};

/** @throws HindsightError invalid_input for a parameter that this ask does not take, with the asks that do */
export function checkParameters(input: AuditInput): void {
  const { ask } = input;
  for (const [parameter, asks] of Object.entries(asksThatTake)) {
    if (input[parameter as keyof AuditInput] === undefined || asks.includes(ask)) continue;
    const isRange = parameter === 'from' || parameter === 'to';
    throw new HindsightError(
      'invalid_input',
      `${ask} takes no ${parameter}: it is for ${listed(asks)}. Leave it out${asks.length > 1 ? ', or ask one of those' : ''}.${(isRange && instead[ask]) || ''}`,
      { parameter, ask, accepted: asks },
    );
  }
}

function listed(asks: readonly Ask[]): string {
  return asks.length === 1 ? asks[0]! : `${asks.slice(0, -1).join(', ')} and ${asks.at(-1)}`;
}
