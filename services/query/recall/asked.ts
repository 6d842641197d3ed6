import type { Caller } from '#contract/caller.js';
import { HindsightError } from '#contract/errors.js';
import type { itemStatuses } from '#contract/memory-item.js';
import type { SearchInput } from '#contract/search.js';
import { parseMillis, parseTime } from '#contract/time.js';
import { keyedHash } from '#events/keyed-hash.js';
import { subjectHash } from '#events/subject-hash.js';
import type { BankKeys } from '#sealing/vault.js';
import type { VersionFilter } from '#views/reader.js';
import { standing } from '../bank-index/visibility.js';

/** Longest question in characters: as long as the longest content. */
const queryLength = 64 * 1024;

type Status = (typeof itemStatuses)[number];

const codes: Readonly<Record<Status, readonly number[]>> = {
  current: [standing.current],
  superseded: [standing.closed, standing.ended],
  retracted: [standing.retracted],
  expired: [standing.expired],
  archived: [standing.archived],
  quarantined: [standing.quarantined],
  erased: [standing.erased],
};

/**
 * A blank question is a mistake, not one that nothing answers: it would be told that nothing relevant is remembered.
 * @throws HindsightError invalid_input · too_large
 */
export function checkQuery(query: string, parameter = 'query'): void {
  if (query.trim() === '')
    throw new HindsightError(
      'invalid_input',
      `${parameter} is ${JSON.stringify(query.slice(0, 60))}, but takes a question in words.`,
      { parameter },
    );
  if (query.length > queryLength)
    throw new HindsightError(
      'too_large',
      `${parameter} has ${query.length} characters; at most ${queryLength} are taken.`,
      { parameter, given: query.length, limit: queryLength },
    );
}

/** Which standings the answer may show. @throws HindsightError forbidden where only reviewers may see what is included */
export function askedStandings(
  include: readonly Status[] | undefined,
  caller: Pick<Caller, 'roles'>,
): ReadonlySet<number> {
  if (include?.includes('quarantined') && !caller.roles.includes('reviewer'))
    throw new HindsightError(
      'forbidden',
      `include names quarantined, which needs the role reviewer; this connection has ${caller.roles.join(', ') || 'none'}.`,
      { parameter: 'include' },
    );
  const asked = new Set(codes.current);
  for (const status of include ?? []) for (const code of codes[status]) asked.add(code);
  return asked;
}

/**
 * The stretch of valid time that is asked about: a moment, a span, or the basis's moment.
 * @throws HindsightError invalid_time · invalid_input when both are given or the span is empty
 */
export function askedValidTime(
  input: Pick<SearchInput, 'valid_at' | 'valid_during'>,
  basisAt: number,
): { from: number; to: number } {
  if (input.valid_at !== undefined && input.valid_during !== undefined)
    throw new HindsightError('invalid_input', 'valid_at and valid_during were both given: give one of them.', {
      parameter: 'valid_during',
    });
  if (input.valid_during) {
    const { from, to } = input.valid_during;
    const span = {
      from: from === undefined ? -Infinity : parseMillis('valid_during.from', from),
      to: to === undefined ? Infinity : parseMillis('valid_during.to', to),
    };
    checkOrder('valid_during', span.from, span.to);
    return span;
  }
  const at = input.valid_at === undefined ? basisAt : parseMillis('valid_at', input.valid_at);
  return { from: at, to: at + 1 };
}

type Filters = Pick<SearchInput, 'kinds' | 'session_id' | 'task_id' | 'tags' | 'subject' | 'time_range'>;

/** How a caller calls the two ends of a range of time: what is wrong with one is said of that. */
const rangeNames = { from: 'time_range.from', to: 'time_range.to' };

/** The filter in the views' own terms; undefined when nothing is filtered. @throws HindsightError invalid_time · invalid_input */
export function askedFilter(input: Filters, keys: BankKeys, names = rangeNames): VersionFilter | undefined {
  const { from, to } = input.time_range ?? {};
  const filter: VersionFilter = {
    kinds: input.kinds,
    sessionId: input.session_id,
    taskId: input.task_id,
    tagHashes: input.tags?.length ? input.tags.map((tag) => keyedHash(keys.indexKey, 'tag', tag)) : undefined,
    subjectHash: input.subject === undefined ? undefined : subjectHash(keys.identityKey, input.subject),
    from: from === undefined ? undefined : parseTime(names.from, from),
    to: to === undefined ? undefined : parseTime(names.to, to),
  };
  if (filter.from !== undefined && filter.to !== undefined && Date.parse(filter.from) >= Date.parse(filter.to))
    throw new HindsightError(
      'invalid_input',
      `${names.from} is ${filter.from}, which is not earlier than ${names.to}, ${filter.to}: nothing lies between. Give the earlier time as ${names.from}.`,
      { parameter: names.from },
    );
  return Object.values(filter).some((part) => part !== undefined) ? filter : undefined;
}

function checkOrder(parameter: string, from: number, to: number): void {
  if (from < to) return;
  throw new HindsightError('invalid_input', `${parameter} ends before it begins: from must be earlier than to.`, {
    parameter,
  });
}
