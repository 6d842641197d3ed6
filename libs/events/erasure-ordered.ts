import { z } from 'zod';
import { defineEvent, type EventOf } from './define-event.js';

/**
 * These memories are to be erased, and the secrets of these subjects destroyed: whoever finds the order without its completion goes on
 * with it. A large order is several events with one `erasureId`, numbered; only when the last of them is stored does it stand.
 */
export const erasureOrdered = defineEvent('ErasureOrdered', 1, {
  data: z.strictObject({
    erasureId: z.string(),
    part: z.int().min(1),
    parts: z.int().min(1),
    memories: z.array(z.string()),
    /**
     * The latest version of each, as whoever ordered it was shown: a memory that has a later one by the time it would be erased is left.
     * Absent where what comes late goes too: of a person, and of a whole bank.
     */
    versions: z.array(z.int()).optional(),
    /** Keyed hashes of the subjects, aliases included. */
    subjects: z.array(z.string()),
    /** Whether the erased values are kept out by fingerprint. */
    fingerprints: z.boolean(),
    /** No copy of the keys is wanted, although one was made before: whoever goes on needs none either. Absent where nobody said so. */
    keyCopy: z.literal('none').optional(),
  }),
  /** Sealed with a secret of its own, which the completion destroys where a subject was erased: a reason may name the person. */
  content: z.strictObject({
    reason: z.string(),
    /** By which the person is known: recalls whose question names one go as well. */
    names: z.array(z.string()).optional(),
    idempotencyKey: z.string().optional(),
  }),
});
export type ErasureOrdered = EventOf<typeof erasureOrdered>;
