import { z } from 'zod';
import { defineEvent, type EventOf } from './define-event.js';

/** Somebody read the audit: what was asked, and how many rows were answered. */
export const auditRead = defineEvent(
  'AuditRead',
  1,
  {
    data: z.strictObject({ ask: z.string(), rows: z.int().min(0), about: z.string().optional() }),
    /** JSON text of what was asked with. */
    content: z.strictObject({ parameters: z.string() }),
  },
  { changesAnswers: false },
);
export type AuditRead = EventOf<typeof auditRead>;
