import { z } from 'zod';
import { defineEvent, type EventOf } from './define-event.js';

/** A memory was laid aside: still true as far as anybody knows, no longer served, and may be taken out again. */
export const memoryArchived = defineEvent('MemoryArchived', 1, {
  data: z.strictObject({ memoryId: z.string() }),
  content: z.strictObject({ reason: z.string(), idempotencyKey: z.string().optional() }),
});
export type MemoryArchived = EventOf<typeof memoryArchived>;
