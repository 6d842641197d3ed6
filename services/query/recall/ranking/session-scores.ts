import { roomFor } from '../legs/scratch.js';

/** Per session, written anew for each question. */
let threeBest = new Float64Array(0);
let members = new Int32Array(0);
let means = new Float64Array(0);

/** A doc of the session was found, with its sum among these. */
export function noteBest(number: number, sums: Float64Array, doc: number): void {
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

/** The mean of each session's three best sums, scaled to 0 … 1 over the sessions that were found; of one alone, 1. */
export function sessionScores(numbers: number): Float64Array {
  let least = Infinity;
  let most = -Infinity;
  for (let number = 0; number < numbers; number++) {
    if (members[number] === 0) continue;
    const first = number * 3;
    const sum = threeBest[first]! + threeBest[first + 1]! + threeBest[first + 2]!;
    const mean = sum / Math.min(3, members[number]!);
    means[number] = mean;
    least = Math.min(least, mean);
    most = Math.max(most, mean);
  }
  for (let number = 0; number < numbers; number++)
    means[number] = members[number]! > 0 ? (most > least ? (means[number]! - least) / (most - least) : 1) : 0;
  return means;
}

/** Before the docs of a question are noted. @param numbers of the bank's sessions, and 1 */
export function clearSessions(numbers: number): void {
  if (members.length >= numbers) {
    threeBest.fill(0, 0, numbers * 3);
    members.fill(0, 0, numbers);
    return;
  }
  threeBest = new Float64Array(roomFor(numbers) * 3);
  members = new Int32Array(roomFor(numbers));
  means = new Float64Array(roomFor(numbers));
}
