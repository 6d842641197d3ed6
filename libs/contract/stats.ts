import { z } from 'zod';

export const statsInput = z.strictObject({});

const latency = z.object({ count: z.int(), p50_ms: z.number(), p95_ms: z.number(), p99_ms: z.number() });

export const statsOutput = z.object({
  bank: z.string(),
  memories: z.object({
    total: z.int(),
    by_kind: z.record(z.string(), z.record(z.string(), z.int())),
  }),
  recall: latency.extend({ hit_rate: z.number().nullable() }),
  projection: z.object({ lag_events: z.int(), set_aside: z.int(), generation: z.int() }),
  /** Absent where nothing embeds. */
  vectors: z
    .object({
      model: z.string().describe('What makes them.'),
      state: z.enum(['idle', 'loading', 'ready', 'failed']),
      done: z.int(),
      of: z.int(),
    })
    .optional()
    .describe('Versions that are found by their meaning, of all.'),
  /** Absent where no language model is configured, and none has read anything. */
  enrichment: z
    .object({
      model: z.string().optional().describe('Which reads, as its server calls it.'),
      done: z.int(),
      of: z.int(),
      tokens_today: z.int().describe('Read and written within the last 24 hours for this bank.'),
      tokens_per_day: z.int().optional().describe('The bound on that, over all banks; 0: none.'),
      tokens: z.int().describe('In all.'),
    })
    .optional()
    .describe('Current memories that a language model has read, of all, and what that took.'),
  stores: z.record(z.string(), z.int()).describe('Bytes on disk per file.'),
  basis: z.string(),
  /** What could not be given in full, and why. */
  notes: z.array(z.string()).optional(),
});
export type StatsOutput = z.infer<typeof statsOutput>;
