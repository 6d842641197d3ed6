import { z } from 'zod';
import { defineEvent, type EventOf } from './define-event.js';

/** The bank is ended: all of its keys are destroyed after this event is stored, and nothing may be written to it any more. */
export const bankErased = defineEvent('BankErased', 1, {
  data: z.strictObject({ erasureId: z.string() }),
  content: z.strictObject({}),
});
export type BankErased = EventOf<typeof bankErased>;
