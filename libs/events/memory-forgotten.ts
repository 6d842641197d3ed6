import { z } from 'zod';
import { defineEvent, type EventOf } from './define-event.js';

/** A memory was retracted: it stays in history, is no longer served, and may be restored. */
export const memoryForgotten = defineEvent('MemoryForgotten', 1, {
  data: z.strictObject({ memoryId: z.string() }),
  content: z.strictObject({ reason: z.string(), idempotencyKey: z.string().optional() }),
});
export type MemoryForgotten = EventOf<typeof memoryForgotten>;
