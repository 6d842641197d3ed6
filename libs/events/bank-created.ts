import { z } from 'zod';
import { defineEvent, type EventOf } from './define-event.js';

/** A bank exists from here on. Its readable name is content, and sealed: it may well be a person's. */
export const bankCreated = defineEvent('BankCreated', 1, {
  data: z.strictObject({}),
  content: z.strictObject({ name: z.string() }),
});
export type BankCreated = EventOf<typeof bankCreated>;
