/** Whether calls may be made now, and else after how many milliseconds. */
export type Taken = { readonly allowed: true } | { readonly allowed: false; readonly retryAfterMs: number };

/** How often a token may call. Never rejects, and never takes long. */
export interface RateLimit {
  /** @param calls to be made at once; more than the limit count as the limit */
  take(tokenId: string, calls: number): Promise<Taken>;
}

interface Bucket {
  /** Calls left at `at`. */
  left: number;
  at: number;
}

const minute = 60_000;
/** What a bucket that was filled in many steps may lack of a whole call. */
const rounding = 1e-6;

/** Full buckets are as good as none: those of tokens that were quiet for a minute are forgotten beyond this many. */
const mostBuckets = 10_000;

/**
 * A bucket of a minute's calls for each token, filled evenly, in this process.
 * @param now milliseconds, never running back
 */
export function localRateLimit(perMinute: number, now: () => number = () => performance.now()): RateLimit {
  const buckets = new Map<string, Bucket>();
  return {
    async take(tokenId, calls) {
      const at = now();
      const wanted = Math.min(calls, perMinute);
      const before = buckets.get(tokenId);
      const left = before ? Math.min(perMinute, before.left + ((at - before.at) * perMinute) / minute) : perMinute;
      const allowed = left + rounding >= wanted;
      buckets.delete(tokenId);
      buckets.set(tokenId, { left: allowed ? Math.max(0, left - wanted) : left, at });
      if (buckets.size > mostBuckets) forgetFull(buckets, at);
      return allowed ? { allowed } : { allowed, retryAfterMs: Math.ceil(((wanted - left) * minute) / perMinute) };
    },
  };
}

/** From the longest unused on, until one is met that may still be filling. */
function forgetFull(buckets: Map<string, Bucket>, now: number): void {
  for (const [tokenId, { at }] of buckets) {
    if (now - at < minute) return;
    buckets.delete(tokenId);
  }
}
