const han = /\p{Script=Han}/gu;

/** About how many tokens a text takes: one per Han character, else one per four characters. */
export function estimateTokens(text: string): number {
  const hanCharacters = text.match(han)?.length ?? 0;
  return hanCharacters + Math.ceil((text.length - hanCharacters) / 4);
}

/** The items from the first on that fit together: order counts for more than filling the last gap. */
export function fitBudget<T>(items: readonly T[], textOf: (item: T) => string, budget: number | undefined): T[] {
  if (budget === undefined) return [...items];
  let left = budget;
  const over = items.findIndex((item) => {
    left -= estimateTokens(textOf(item));
    return left < 0;
  });
  return over < 0 ? [...items] : items.slice(0, over);
}
