import { z } from 'zod';
import { defineEvent, type EventOf } from './define-event.js';
import { instant } from './version-fields.js';

/** An answer was given: to whom, resting on what. Without it, "why did the agent do that?" has no answer. */
export const recallServed = defineEvent(
  'RecallServed',
  1,
  {
    data: z.strictObject({
      recallId: z.string(),
      /** The basis position that the answer rests on; absent for an empty bank. */
      position: z.string().optional(),
      at: instant,
      validAt: instant.optional(),
      items: z.array(z.strictObject({ memoryId: z.string(), version: z.int(), score: z.number() })),
      /** Milliseconds from question to answer. */
      tookMs: z.number(),
    }),
    content: z.strictObject({ query: z.string(), filters: z.string().optional() }),
  },
  { changesAnswers: false },
);
export type RecallServed = EventOf<typeof recallServed>;
