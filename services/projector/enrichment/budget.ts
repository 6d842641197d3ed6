/** Milliseconds within which no more tokens are spent than are allowed. */
export const budgetWindow = 24 * 3_600_000;

/** What a model may cost within any 24 hours. */
export interface Budget {
  /** Tokens that may be spent now; Infinity where there is no bound. */
  left(): number;
  /** Tokens were spent that no recorded reading tells of, or not yet. @returns takes it back, once one does */
  spend(tokens: number): () => void;
}

/**
 * @param limit tokens; 0 for no bound
 * @param recorded tokens of recorded readings since a moment (milliseconds): what other processes spent, and this one before it was started
 */
export function budget(limit: number, recorded: (since: number) => number, now: () => number): Budget {
  let unrecorded: { readonly at: number; readonly tokens: number }[] = [];
  return {
    left() {
      if (limit === 0) return Infinity;
      const since = now() - budgetWindow;
      unrecorded = unrecorded.filter(({ at }) => at > since);
      return limit - recorded(since) - unrecorded.reduce((sum, { tokens }) => sum + tokens, 0);
    },
    spend(tokens) {
      const one = { at: now(), tokens };
      unrecorded.push(one);
      return () => {
        unrecorded = unrecorded.filter((each) => each !== one);
      };
    },
  };
}
