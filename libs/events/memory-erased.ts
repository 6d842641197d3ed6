import { z } from 'zod';
import { defineEvent, type EventOf } from './define-event.js';

/**
 * Nothing of what was written to this memory before can be opened any more: its secret is destroyed after this event is stored. It
 * carries no box, so that it can be read for ever; why it was done is said, sealed, by the order.
 */
export const memoryErased = defineEvent('MemoryErased', 1, {
  data: z.strictObject({
    memoryId: z.string(),
    /** Of the order that it is part of. */
    erasureId: z.string(),
    /** Keyed hashes of the values that must not come back by themselves; absent where that was turned off. */
    fingerprints: z.array(z.string()).optional(),
  }),
  content: z.strictObject({}),
});
export type MemoryErased = EventOf<typeof memoryErased>;
