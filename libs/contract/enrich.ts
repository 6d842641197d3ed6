import { z } from 'zod';
import { memoryEnriched } from '#events/memory-enriched.js';

const { memoryId: memory_id, ...rest } = memoryEnriched.data.shape;

/** What a language model found in a version of a memory, held against its text already. */
export const enrichInput = z.strictObject({
  memory_id,
  version: rest.version,
  rules: rest.rules,
  model: rest.model,
  tokens: rest.tokens,
  findings: memoryEnriched.content,
});
export type EnrichInput = z.infer<typeof enrichInput>;

export const enrichOutput = z.object({
  /**
   * `unchanged`: what this model found in this version is on record already · `passed`: the memory is not served as it was read any more, so
   * nothing was recorded.
   */
  status: z.enum(['recorded', 'unchanged', 'passed']),
  memory_id: z.string(),
  version: z.int(),
});
export type EnrichOutput = z.infer<typeof enrichOutput>;
