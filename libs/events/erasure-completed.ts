import { z } from 'zod';
import { defineEvent, type EventOf } from './define-event.js';
import { instant } from './version-fields.js';

/** An order was carried out: keys destroyed, derived rows purged, and what a scan found. The certificate is made of this. */
export const erasureCompleted = defineEvent('ErasureCompleted', 1, {
  data: z.strictObject({
    erasureId: z.string(),
    memories: z.int().min(0),
    /** Memories of the order that were written to before they would have been erased: they stay. */
    left: z.array(z.string()).optional(),
    subjects: z.int().min(0),
    recalls: z.int().min(0),
    /** Master key epoch from which on nothing of it opens. */
    epoch: z.int().min(1),
    completedAt: instant,
    /** Canonical JSON of the certificate's signed part, and what signs it: Ed25519, base64url. */
    certificate: z.string().optional(),
    signature: z.string().optional(),
    publicKey: z.string().optional(),
  }),
  content: z.strictObject({}),
});
export type ErasureCompleted = EventOf<typeof erasureCompleted>;
