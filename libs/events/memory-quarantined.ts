import { z } from 'zod';
import { defineEvent, type EventOf } from './define-event.js';

/** A memory is held back until a reviewer has looked at it. Rejecting it retracts it. */
export const memoryQuarantined = defineEvent('MemoryQuarantined', 1, {
  data: z.strictObject({ memoryId: z.string() }),
  content: z.strictObject({ reason: z.string(), idempotencyKey: z.string().optional() }),
});
export type MemoryQuarantined = EventOf<typeof memoryQuarantined>;
