import type { Json } from '#events/canonical.js';

/** Answers that were computed before, by any process. Losing one costs time only. */
export interface AnswerCache {
  /**
   * The answer kept for the same question, else what `compute` gives, which is then kept. Whatever becomes of the cache, the answer
   * is that of `compute`; a cache that does not answer at once is not waited for.
   * @param asked everything that the answer depends on, beside the bank; what is written otherwise as JSON is another question
   * @param compute its answer comes back as it is when written as JSON and read again
   */
  answer<T>(bank: string, asked: Json, compute: () => Promise<T>): Promise<T>;
}
