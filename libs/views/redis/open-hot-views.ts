import type { RateLimit } from '#access/rate-limit.js';
import type { Json } from '#events/canonical.js';
import type { AnswerCache } from '../answer-cache.js';
import type { ViewsReader } from '../reader.js';
import type { WrittenHeads } from '../written-heads.js';
import { type EntriesDeps, openEntries } from './entries.js';
import { hotReader } from './hot-reader.js';
import { keys } from './keys.js';

/** Milliseconds that a bank's head is remembered: later, the views have it or somebody is looking after them. */
const headTtl = 10 * 60_000;

/** What is hot. All of it may vanish, and nothing of it changes an answer. */
export interface HotViews {
  /** For one question. @param stamp of the views, read before */
  reader(reader: ViewsReader, stamp: string): ViewsReader;
  readonly answers: AnswerCache;
  readonly heads: WrittenHeads;
  /** @param without decides where Redis is away */
  rateLimit(perMinute: number, without: RateLimit): RateLimit;
  /** Ends all that is kept of a bank. @returns false when Redis could not be told: ask again */
  purge(bank: string): Promise<boolean>;
}

export function openHotViews(deps: EntriesDeps): HotViews {
  const { store, ledgerId } = deps;
  const entries = openEntries(deps);
  return {
    reader: (reader, stamp) => hotReader(reader, entries, stamp),
    answers: {
      async answer<T>(bank: string, asked: Json, compute: () => Promise<T>) {
        const looked = await entries.look(bank, 'answer', [[JSON.stringify(asked)]]);
        const kept = looked?.values[0];
        // Sealed by this bank for this very question: nobody else can have written it.
        if (kept !== undefined) return kept as T;
        const answer = await compute();
        looked?.keep(new Map([[0, answer]]));
        return answer;
      },
    },
    heads: {
      async note(bank, position) {
        await store.ask((redis) => redis.hlRaise(keys.head(ledgerId, bank), position, headTtl));
      },
      last: async (bank) => (await store.ask((redis) => redis.get(keys.head(ledgerId, bank)))) ?? undefined,
    },
    rateLimit: (perMinute, without) => ({
      async take(tokenId, calls) {
        const wanted = Math.min(calls, perMinute);
        const wait = await store.ask((redis) => redis.hlTake(keys.calls(ledgerId, tokenId), perMinute, wanted));
        if (wait === undefined) return without.take(tokenId, calls);
        return wait === 0 ? { allowed: true } : { allowed: false, retryAfterMs: wait };
      },
    }),
    purge: entries.purge,
  };
}
