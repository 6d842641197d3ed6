import { z } from 'zod';
import { defineEvent, type EventOf } from './define-event.js';

/** Somebody said that two names mean one person: an erasure of the one takes what is about the other. Stands in the subject's stream. */
export const subjectAliased = defineEvent(
  'SubjectAliased',
  1,
  {
    /** Keyed hashes. */
    data: z.strictObject({ subject: z.string(), alias: z.string() }),
    content: z.strictObject({ name: z.string(), alias: z.string() }),
  },
  { changesAnswers: false },
);
export type SubjectAliased = EventOf<typeof subjectAliased>;
