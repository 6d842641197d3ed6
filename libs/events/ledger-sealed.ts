import { z } from 'zod';
import { defineEvent, type EventOf } from './define-event.js';
import { instant } from './version-fields.js';

/** 32 bytes in base64url. */
const hash = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

/**
 * The first `size` events of the ledger, in its global order, were these: a Merkle root over their hashes (docs/decisions/0018). Other
 * events may have been stored between the last of them and this one; seals count like any other event.
 */
export const ledgerSealed = defineEvent(
  'LedgerSealed',
  1,
  {
    data: z.strictObject({
      /** Names the whole recipe of the tree. */
      algorithm: z.literal('hl-merkle-sha256-1'),
      size: z.int().min(1),
      root: hash,
      /** The roots of the complete subtrees, from which any process goes on without reading what was sealed. */
      peaks: z.array(hash),
      /** The last event that counts: where it stands, and its hash. */
      head: z.strictObject({ stream: z.string(), revision: z.int().min(0), hash }),
      at: instant,
      /** Ed25519 over algorithm, time, head, ledger, root and size; the key that verifies it, raw (RFC 8032), in base64url. */
      signature: z.string().optional(),
      publicKey: hash.optional(),
    }),
    /** It carries no box: nobody wrote anything. */
    content: z.strictObject({}),
  },
  { changesAnswers: false },
);
export type LedgerSealed = EventOf<typeof ledgerSealed>;
