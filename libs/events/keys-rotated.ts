import { z } from 'zod';
import { defineEvent, type EventOf } from './define-event.js';

/**
 * A new master key epoch is in force: all keys are wrapped by it, and none of an earlier copy opens with it. In a stream of the whole
 * ledger beside the seals (`hl.<ledger>.all.seal-keys`): the epoch is no bank's. Of moves that follow each other closely the last may stand for all.
 */
export const keysRotated = defineEvent(
  'KeysRotated',
  1,
  {
    data: z.strictObject({
      epoch: z.int().min(1),
      /** Why: somebody asked for it, or an erasure ended keys. */
      cause: z.enum(['asked', 'erasure']),
    }),
    /** It carries no box: nobody wrote anything. */
    content: z.strictObject({}),
  },
  { changesAnswers: false },
);
export type KeysRotated = EventOf<typeof keysRotated>;
