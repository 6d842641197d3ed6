import { z } from 'zod';
import { defineEvent, type EventOf } from './define-event.js';

/** An archived memory is served again, as it was before. */
export const memoryUnarchived = defineEvent('MemoryUnarchived', 1, {
  data: z.strictObject({ memoryId: z.string() }),
  content: z.strictObject({ reason: z.string(), idempotencyKey: z.string().optional() }),
});
export type MemoryUnarchived = EventOf<typeof memoryUnarchived>;
