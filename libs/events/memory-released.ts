import { z } from 'zod';
import { defineEvent, type EventOf } from './define-event.js';

/** A reviewer let a quarantined memory be served. */
export const memoryReleased = defineEvent('MemoryReleased', 1, {
  data: z.strictObject({ memoryId: z.string() }),
  content: z.strictObject({ reason: z.string(), idempotencyKey: z.string().optional() }),
});
export type MemoryReleased = EventOf<typeof memoryReleased>;
