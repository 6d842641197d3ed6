import type { Wanted } from '#understanding/questions/asked.js';
import { docFlags } from '#views/doc-flags.js';
import { occursIn } from '../legs/occurs-in.js';
import type { Scope } from './candidates.js';
import type { TakenQuestion } from './question.js';

/** Candidates by their places, and their chances to help: those of what is raised are written anew. */
interface Scored {
  readonly docs: readonly number[];
  readonly scores: Float64Array;
}

export interface Raised {
  /** Places, best first: scores never rise. */
  readonly order: readonly number[];
  /** The place of the earlier statement to whose score a later one was raised, by the later one's. */
  readonly over: ReadonlyMap<number, number>;
}

/** So many of the best are looked at: what is further down is no second statement of the answer. */
const looked = 6;
/** A later statement may lie so far below in log odds: a statement is mostly fuller than its correction (BEAM: .1 to 3.6 below). */
const reach = 4;
/** Words of the question that both have, and the least share that these have in those of the earlier one, by rarity. */
const sharedWords = 2;
const sharedWeight = 0.3;

/**
 * For a question about how something stands, in conversations: a later statement of the same by the same speaker that tells of a change is raised to the
 * score of the earlier one and stands before it. Of BEAM's 15 labelled updates (development half) the current statement comes first in
 * 13 instead of 5; what is found among the first five and ten stays the same (docs/decisions/0024).
 * Facts that stand alone are left alone: shared words say too little of them, and a `key` says it for sure.
 */
export function raiseLater(
  question: TakenQuestion,
  scope: Scope,
  { docs, scores }: Scored,
  byScore: readonly number[],
): Raised {
  const over = new Map<number, number>();
  if (!question.understood.aboutNow) return { order: byScore, over };
  const order = [...byScore];
  const isLater = laterThan(question, scope);
  for (let from = 1; from < Math.min(looked, order.length); from++) {
    const later = order[from]!;
    const to = order.findIndex(
      (earlier, at) =>
        at < from &&
        // Of several later ones the likeliest stays the first.
        !over.has(earlier) &&
        odds(scores[earlier]!) - odds(scores[later]!) <= reach &&
        isLater(docs[later]!, docs[earlier]!),
    );
    if (to < 0) continue;
    over.set(later, order[to]!);
    scores[later] = scores[order[to]!]!;
    order.splice(from, 1);
    order.splice(to, 0, later);
  }
  return { order, over };
}

function odds(chance: number): number {
  return Math.log(chance / (1 - chance));
}

/** Whether one doc says anew what another said before. */
function laterThan({ terms, asker, understood }: TakenQuestion, { columns, basis }: Scope) {
  const { flags, speaker, at } = columns;
  const needed = neededOf(understood.wanted);
  const telling = terms.filter((term) => term.telling);
  // A question of one word ("What is the budget?") has no two to share. For a place or a person nothing but the word would be asked for then.
  const least = needed === docFlags.mentionsChange ? sharedWords : Math.max(1, Math.min(sharedWords, telling.length));
  const rarity = telling.map(({ postings }) => {
    let occurs = 0;
    for (const doc of postings.docs) occurs += basis.isCurrent[doc] ?? 0;
    return Math.log(1 + (basis.count - occurs + 0.5) / (occurs + 0.5));
  });
  return (later: number, earlier: number): boolean => {
    if (!(flags[later]! & docFlags.mentionsChange) || !(flags[later]! & needed)) return false;
    if (!(speaker[later]! > 0) || speaker[later] !== speaker[earlier]) return false;
    if (asker !== undefined && speaker[later] !== asker) return false;
    if (at[later]! < at[earlier]! || (at[later] === at[earlier] && later < earlier)) return false;
    let words = 0;
    let shared = 0;
    let ofEarlier = 0;
    telling.forEach(({ postings }, place) => {
      if (!occursIn(postings, earlier)) return;
      ofEarlier += rarity[place]!;
      if (!occursIn(postings, later)) return;
      words++;
      shared += rarity[place]!;
    });
    return words >= least && shared >= sharedWeight * ofEarlier;
  };
}

/** Of these flags one is needed: what is asked for is told anew by a number, and when something is by a day as well; a place and a name by any words. */
function neededOf(wanted: Wanted | undefined): number {
  if (wanted === 'where' || wanted === 'who') return docFlags.mentionsChange;
  return wanted === 'when' ? docFlags.mentionsNumber | docFlags.mentionsTime : docFlags.mentionsNumber;
}
