import { z } from 'zod';

export const verdicts = ['quarantine', 'release', 'reject'] as const;

export const reviewInput = z.strictObject({
  memory_id: z.string().describe('The memory that was looked at, or is to be.'),
  verdict: z
    .enum(verdicts)
    .describe('quarantine: hold it back until somebody has looked; release: serve it again; reject: take it away.'),
  reason: z.string().min(1).max(2000).describe('Why: it stays on record.'),
  idempotency_key: z.string().min(1).max(512).optional(),
});
export type ReviewInput = z.infer<typeof reviewInput>;

export const reviewOutput = z.object({
  status: z.enum(['quarantined', 'released', 'rejected', 'unchanged']),
  memory_id: z.string(),
  version: z.int(),
  basis: z.string().optional(),
});
export type ReviewOutput = z.infer<typeof reviewOutput>;
