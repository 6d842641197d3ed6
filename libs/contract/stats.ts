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
  stores: z.record(z.string(), z.int()).describe('Bytes on disk per file.'),
  basis: z.string(),
  /** What could not be given in full, and why. */
  notes: z.array(z.string()).optional(),
});
export type StatsOutput = z.infer<typeof statsOutput>;
