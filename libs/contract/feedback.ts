import { z } from 'zod';
import { ratingOutcomes } from '#events/memory-rated.js';

export const feedbackInput = z.strictObject({
  memory_id: z.string().describe('The memory that was put to use, or found wanting.'),
  outcome: z
    .enum(ratingOutcomes)
    .describe(
      'success or failure: what was done by it worked, or did not · useful or irrelevant: it helped with the question, or had nothing to do with it · wrong: what it says is not so.',
    ),
  recall_id: z.uuid().optional().describe('The answer of memory_search that it was served in.'),
  version: z.int().min(1).optional().describe('The version that was served; the latest by default.'),
  note: z.string().min(1).max(2000).optional().describe('What happened: it stays on record, sealed.'),
  idempotency_key: z
    .string()
    .min(1)
    .max(512)
    .optional()
    .describe('A repeated call with the same key changes nothing and returns the first answer.'),
});
export type FeedbackInput = z.infer<typeof feedbackInput>;

export const feedbackOutput = z.object({
  /** `unchanged`: the same was said of it before, about the same answer or on the same day. */
  status: z.enum(['rated', 'unchanged']),
  memory_id: z.string(),
  /** The version that the rating is about. */
  version: z.int(),
  /** How that version has fared with all who rated it, from −1 to 1. */
  weight: z.number(),
  basis: z.string().optional(),
});
export type FeedbackOutput = z.infer<typeof feedbackOutput>;
