import type { Columns } from '../../bank-index/columns.js';
import { toldOnce } from '../../bank-index/told-once.js';
import type { Visibility } from '../../bank-index/visibility.js';
import type { SessionSums } from '../legs/survey.js';

/** No more sessions are counted than it takes to be many. */
export const manySessions = 100;

/** A doc of the session was found, with its sum among these. */
export function noteBest({ threeBest, members }: SessionSums, number: number, sums: Float64Array, doc: number): void {
  members[number]!++;
  let value = sums[doc]!;
  if (value <= threeBest[number * 3 + 2]!) return;
  for (let at = number * 3; at < number * 3 + 3; at++) {
    if (value <= threeBest[at]!) continue;
    const pushed = threeBest[at]!;
    threeBest[at] = value;
    value = pushed;
  }
}

/** Writes, and gives, the mean of each session's three best sums, scaled to 0 … 1 over the sessions that were found; of one alone, 1. */
export function sessionScores({ threeBest, members, means }: SessionSums): Float64Array {
  let least = Infinity;
  let most = -Infinity;
  for (let number = 0; number < members.length; number++) {
    if (members[number] === 0) continue;
    const first = number * 3;
    const sum = threeBest[first]! + threeBest[first + 1]! + threeBest[first + 2]!;
    const mean = sum / Math.min(3, members[number]!);
    means[number] = mean;
    least = Math.min(least, mean);
    most = Math.max(most, mean);
  }
  for (let number = 0; number < members.length; number++)
    means[number] = members[number]! > 0 ? (most > least ? (means[number]! - least) / (most - least) : 1) : 0;
  return means;
}

/** How many sessions were found. */
export function sessionsFound({ members }: Pick<SessionSums, 'members'>): number {
  let found = 0;
  for (let number = 0; number < members.length; number++) if (members[number]! > 0) found++;
  return found;
}

/** How many sessions have something that is current at the basis, `manySessions` at most. */
export const sessionsAt = toldOnce(({ session, sessions }: Columns, { isCurrent }: Visibility): number => {
  const seen = new Uint8Array(sessions.size + 1);
  let count = 0;
  for (let doc = 0; doc < isCurrent.length && count < manySessions; doc++) {
    const number = session[doc]!;
    if (number < 0 || isCurrent[doc] !== 1 || seen[number] === 1) continue;
    seen[number] = 1;
    count++;
  }
  return count;
});
