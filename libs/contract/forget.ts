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
    .enum(['retract'])
    .optional()
    .describe('retract (default): no longer served, kept in history, reversible with memory_restore.'),
  confirm: z.string().optional().describe('The token of the dry run. A filter without it only shows what would go.'),
  idempotency_key: idempotencyKey,
});
export type ForgetInput = z.infer<typeof forgetInput>;

export const forgetOutput = z.object({
  status: z.enum(['forgotten', 'unchanged', 'dry_run']),
  forgotten: z.array(z.string()),
  /** A dry run: what would go (at most 100 shown) and how many in all. */
  would_forget: z.array(z.object({ memory_id: z.string(), version: z.int(), preview: z.string() })).optional(),
  total: z.int().optional(),
  confirm: z.string().optional(),
  basis: z.string().optional(),
});
export type ForgetOutput = z.infer<typeof forgetOutput>;

export const restoreInput = z.strictObject({
  memory_id: z.string().describe('The retracted memory.'),
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
