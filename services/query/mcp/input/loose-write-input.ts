import { z } from 'zod';
import { writeInput, writeLimits } from '#contract/write.js';

/** `memory_write`'s input with the items of a batch unread: each is then validated by itself. */
export const looseWriteInput = writeInput.extend({
  items: z.array(z.unknown()).min(1).max(writeLimits.items).optional(),
});
