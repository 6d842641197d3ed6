import { z } from 'zod';
import { defineEvent, type EventOf } from './define-event.js';

/** A retracted memory is served again, as it was before. */
export const memoryRestored = defineEvent('MemoryRestored', 1, {
  data: z.strictObject({ memoryId: z.string() }),
  content: z.strictObject({ reason: z.string(), idempotencyKey: z.string().optional() }),
});
export type MemoryRestored = EventOf<typeof memoryRestored>;
