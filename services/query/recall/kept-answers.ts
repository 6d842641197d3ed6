import { canonicalJson, type Json } from '#events/canonical.js';
import type { AnswerCache } from '#views/answer-cache.js';

/** Rankings kept: some 25 docs each, with the words of the question that they hold; about 2 MB in all. */
const usual = 500;

/**
 * Rankings of this process, where no other cache keeps any: what is asked again is not ranked again. The least recently asked goes first,
 * and all of a bank when its views were purged or rebuilt.
 */
export function keptAnswers(most = usual): AnswerCache {
  const answers = new Map<string, { readonly bank: string; readonly views: Json | undefined; readonly is: unknown }>();
  const views = new Map<string, Json | undefined>();

  const letGo = (bank: string, now: Json | undefined): void => {
    if (views.has(bank) && views.get(bank) !== now)
      for (const [key, kept] of answers) if (kept.bank === bank && kept.views !== now) answers.delete(key);
    views.set(bank, now);
  };

  return {
    async answer<T>(bank: string, asked: Json, compute: () => Promise<T>): Promise<T> {
      const now = stampOf(asked);
      letGo(bank, now);
      const key = `${bank} ${canonicalJson(asked)}`;
      const known = answers.get(key);
      answers.delete(key);
      const kept = known ?? { bank, views: now, is: await compute() };
      answers.set(key, kept);
      if (answers.size > most) answers.delete(answers.keys().next().value!);
      return kept.is as T;
    },
  };
}

/** Of the views that the ranking is read from (`askedRanking`). */
function stampOf(asked: Json): Json | undefined {
  return (asked as { readonly views?: Json } | null)?.views;
}
