import { z } from 'zod';
import { memoryKinds } from '#events/version-fields.js';
import { memoryItem } from './memory-item.js';
import { writeLimits } from './write.js';

export const forgetFilter = z.strictObject({
  kind: z.enum(memoryKinds).optional(),
  session_id: z.string().optional(),
  task_id: z.string().optional(),
  subject: z.string().optional().describe('The person that it is about.'),
  tags: z.array(z.string()).max(writeLimits.tags).optional().describe('All of them must be there.'),
  before: z.string().optional().describe('Occurred (else recorded) before this time.'),
  after: z.string().optional().describe('Occurred (else recorded) at or after this time.'),
  query: z.string().optional().describe('What it says, in words.'),
});
export type ForgetFilter = z.infer<typeof forgetFilter>;

const reason = z.string().min(1).max(2000).describe('Why: it stays on record.');
const idempotencyKey = z
  .string()
  .min(1)
  .max(512)
  .optional()
  .describe('A repeated call with the same key changes nothing and returns the first answer.');

export const forgetInput = z.strictObject({
  memory_id: z.string().optional().describe('The one memory to forget.'),
  filter: forgetFilter.optional().describe('Instead of an id: all current memories that meet every condition given.'),
  reason,
  mode: z
    .enum(['retract', 'archive', 'erase'])
    .optional()
    .describe(
      'retract (default): wrong or unwanted; archive: still true, but not worth serving. Both are kept in history, and memory_restore takes them back. erase: destroyed for good, everywhere; needs the role eraser.',
    ),
  confirm: z
    .string()
    .optional()
    .describe('The token of the dry run. A filter, or an erase, without it only shows what would go.'),
  idempotency_key: idempotencyKey,
});
export type ForgetInput = z.infer<typeof forgetInput>;

const named = z.object({ memory_id: z.string(), version: z.int(), preview: z.string() });

/** What an erase, or its dry run, says beyond the memories that go. */
export const erasure = z.object({
  id: z.string().optional(),
  /** All names by which the person is known: the one given, and its aliases. */
  names: z.array(z.string()).optional(),
  /** A dry run: memories that mention a name and are not taken; at most 100 shown. */
  also_mentioned_in: z.array(named).optional(),
  also_mentioned: z.int().optional(),
  /** Records of recalls that go as well. */
  recalls: z.int().optional(),
  /** Memories that were written to after they were shown, and stay: ask again for what they say now. */
  left: z.array(z.string()).optional(),
  /** Why it is not completed yet. */
  waits_for: z.string().optional(),
  /** Canonical JSON of what was done, and what signs it (Ed25519, base64url), where the ledger has a key for it. */
  certificate: z
    .object({ text: z.string(), signature: z.string().optional(), public_key: z.string().optional() })
    .optional(),
});
export type Erasure = z.infer<typeof erasure>;

export const forgetOutput = z.object({
  /** `erasing`: nothing of it can be opened any more; what is left to be purged is purged by itself. */
  status: z.enum(['forgotten', 'unchanged', 'dry_run', 'erased', 'erasing']),
  forgotten: z.array(z.string()),
  /** A dry run: what would go (at most 100 shown) and how many in all. */
  would_forget: z.array(named).optional(),
  total: z.int().optional(),
  confirm: z.string().optional(),
  /** Of an erase. */
  erasure: erasure.optional(),
  basis: z.string().optional(),
});
export type ForgetOutput = z.infer<typeof forgetOutput>;

/** Of the port, beyond the tool's: what the command can say. */
export const eraseInput = z.strictObject({
  subject: z.string().min(1).max(writeLimits.nameLength).optional().describe('Everything about this person.'),
  memory_ids: z.array(z.string()).min(1).max(10_000).optional().describe('These memories.'),
  filter: forgetFilter.optional().describe('The memories that meet every condition given.'),
  reason,
  confirm: z.string().optional().describe('The token of the dry run.'),
  /** False: erased values may come back by an import. True by default. */
  fingerprints: z.boolean().optional(),
  idempotency_key: idempotencyKey,
});
export type EraseInput = z.infer<typeof eraseInput>;

export const eraseBankInput = z.strictObject({
  reason,
  confirm: z.string().optional().describe('The token of the dry run.'),
});
export type EraseBankInput = z.infer<typeof eraseBankInput>;

export const restoreInput = z.strictObject({
  memory_id: z.string().describe('The retracted or archived memory.'),
  reason,
  idempotency_key: idempotencyKey,
});
export type RestoreInput = z.infer<typeof restoreInput>;

/** What the tool answers: the outcome and the memory as it is after it. */
export const restoreAnswer = z.object({
  status: z.enum(['restored', 'unchanged']),
  memory_id: z.string(),
  version: z.int(),
  item: memoryItem,
  basis: z.string(),
});
export type RestoreAnswer = z.infer<typeof restoreAnswer>;
