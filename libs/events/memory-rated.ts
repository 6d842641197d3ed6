import { z } from 'zod';
import { defineEvent, type EventOf } from './define-event.js';

/**
 * How a memory fared when it was put to use. `success` and `failure`: what was done by it worked or did not · `useful` and `irrelevant`: it
 * helped with the question or had nothing to do with it · `wrong`: what it says is not so.
 */
export const ratingOutcomes = ['success', 'failure', 'useful', 'irrelevant', 'wrong'] as const;
export type RatingOutcome = (typeof ratingOutcomes)[number];

/** Somebody said how a version of a memory fared. It brings no version and leaves the memory as it stands. */
export const memoryRated = defineEvent('MemoryRated', 1, {
  data: z.strictObject({
    memoryId: z.string(),
    /** The version that was rated. */
    version: z.int().min(1),
    outcome: z.enum(ratingOutcomes),
    /** The answer that it was served in; perhaps not on record, since a crash may have lost it. */
    recallId: z.string().optional(),
  }),
  content: z.strictObject({ note: z.string().optional(), idempotencyKey: z.string().optional() }),
});
export type MemoryRated = EventOf<typeof memoryRated>;
