/** How good one answer is, and the mean of many; each from 0 to 1. */
export interface Score {
  /** Share of what is relevant that is among the first five, and ten. */
  readonly recallAt5: number;
  readonly recallAt10: number;
  /** Whether the first is relevant. */
  readonly hitAt1: number;
  /** Discounted gain over the first ten, against the best order that there is (Järvelin and Kekäläinen 2002, binary gain). */
  readonly ndcgAt10: number;
}

/**
 * @param found ids, best first, each once
 * @param relevant at least one id
 */
export function scoreOf(found: readonly string[], relevant: ReadonlySet<string>): Score {
  return {
    recallAt5: recallAt(5, found, relevant),
    recallAt10: recallAt(10, found, relevant),
    hitAt1: found[0] !== undefined && relevant.has(found[0]) ? 1 : 0,
    ndcgAt10: ndcgAt(10, found, relevant),
  };
}

function recallAt(count: number, found: readonly string[], relevant: ReadonlySet<string>): number {
  return found.slice(0, count).filter((id) => relevant.has(id)).length / relevant.size;
}

function ndcgAt(count: number, found: readonly string[], relevant: ReadonlySet<string>): number {
  const discount = (at: number) => 1 / Math.log2(at + 2);
  const gain = found.slice(0, count).reduce((sum, id, at) => sum + (relevant.has(id) ? discount(at) : 0), 0);
  let best = 0;
  for (let at = 0; at < Math.min(count, relevant.size); at++) best += discount(at);
  return gain / best;
}

/** @param scores at least one */
export function meanOf(scores: readonly Score[]): Score {
  const mean = (of: (score: Score) => number) => scores.reduce((sum, each) => sum + of(each), 0) / scores.length;
  return {
    recallAt5: mean(({ recallAt5 }) => recallAt5),
    recallAt10: mean(({ recallAt10 }) => recallAt10),
    hitAt1: mean(({ hitAt1 }) => hitAt1),
    ndcgAt10: mean(({ ndcgAt10 }) => ndcgAt10),
  };
}

/** Of answers together: how much of what was given was right. */
export interface Given {
  readonly right: number;
  readonly wrong: number;
}

/**
 * What an answer gave. What is related to the question without answering it is neither right nor wrong.
 * @param related ids that a person would not mind seeing
 */
export function givenOf(
  found: readonly string[],
  relevant: ReadonlySet<string>,
  related: ReadonlySet<string> = new Set(),
): Given {
  const right = found.filter((id) => relevant.has(id)).length;
  const wrong = found.filter((id) => !relevant.has(id) && !related.has(id)).length;
  return { right, wrong };
}

/** Share of what was given that was right; nothing where nothing was given. */
export function precisionOf(given: readonly Given[]): number | undefined {
  const right = given.reduce((sum, each) => sum + each.right, 0);
  const wrong = given.reduce((sum, each) => sum + each.wrong, 0);
  return right + wrong === 0 ? undefined : right / (right + wrong);
}
