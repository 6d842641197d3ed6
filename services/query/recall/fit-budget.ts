import { tokenBound } from '#understanding/tokens/token-bound.js';

/** What came into an answer, in the order in which it was ranked, and what was too long for it. */
export interface Fitted<T> {
  readonly fitting: readonly T[];
  readonly left: readonly { readonly item: T; readonly tokens: number }[];
}

/** Memories that are named where they did not fit; the rest is counted. */
const namedAtMost = 5;

/**
 * One that takes more than half of the budget waits for those that have this share of its score or more: as much as stands beside a likelier fact (recipe.ts).
 * What is less likely than that is no loss beside it, and would take its place for nothing.
 */
const waitsFor = 0.3;

/** What a budget has to know of an item. */
export interface Sized {
  readonly text: string;
  readonly score: number;
}

/**
 * The items that fit together, the best ones first; nothing is ever cut. One that takes more than half of the budget by itself waits until the
 * others that may help as well had their turn, so that it never crowds them out; what does not fit is passed over, and the next has its turn.
 * @param items best first
 * @param budget in tokens, as `tokenBound` counts them; undefined: all
 */
export function fitBudget<T>(items: readonly T[], of: (item: T) => Sized, budget: number | undefined): Fitted<T> {
  if (budget === undefined) return { fitting: items, left: [] };
  const sized = items.map((item) => {
    const { text, score } = of(item);
    const tokens = tokenBound(text);
    const isLong = tokens > budget / 2;
    return { item, tokens, isLong, turn: isLong ? score * waitsFor : score };
  });
  const turns = [...sized].sort((one, other) => other.turn - one.turn || Number(one.isLong) - Number(other.isLong));
  const taken = new Set<T>();
  let room = budget;
  for (const each of turns) {
    if (each.tokens > room) continue;
    room -= each.tokens;
    taken.add(each.item);
  }
  return {
    fitting: items.filter((item) => taken.has(item)),
    left: sized.filter(({ item }) => !taken.has(item)).map(({ item, tokens }) => ({ item, tokens })),
  };
}

/** Says what did not fit, and how long it is; none where all did. */
export function budgetNotes<T>(
  { left }: Fitted<T>,
  budget: number | undefined,
  idOf: (item: T) => string,
): readonly string[] {
  if (left.length === 0) return [];
  const named = left.slice(0, namedAtMost).map(({ item, tokens }) => `${idOf(item)} (about ${tokens} tokens)`);
  const more = left.length > namedAtMost ? [`${left.length - namedAtMost} more`] : [];
  return [`${left.length} more ${notFitting} ${budget}: ${[...named, ...more].join(', ')}.`];
}

const notFitting = 'did not fit token_budget';

/** An empty answer with such a note is not one where nothing is relevant. */
export function isBudgetNote(note: string): boolean {
  return note.includes(` more ${notFitting} `);
}
