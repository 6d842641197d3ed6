import { z } from 'zod';
import { defineEvent, type EventOf } from './define-event.js';

/** The order to erase a person, in the person's own stream. What is to be erased is said by the orders with this id in the bank's. */
export const subjectErased = defineEvent(
  'SubjectErased',
  1,
  { data: z.strictObject({ erasureId: z.string(), subject: z.string() }), content: z.strictObject({}) },
  { changesAnswers: false },
);
export type SubjectErased = EventOf<typeof subjectErased>;
