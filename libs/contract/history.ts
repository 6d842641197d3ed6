import { z } from 'zod';
import { ratingOutcomes } from '#events/memory-rated.js';
import { memoryKinds, memoryOrigins } from '#events/version-fields.js';
import { anyObject } from './any-object.js';
import { contentValue, itemStatuses } from './memory-item.js';

/** Entries of one page: an agent asks for as many by itself, and a slot may have thousands. */
export const historyPage = { usual: 100, most: 5_000 } as const;

export const historyInput = z.strictObject({
  memory_id: z.string().optional().describe('The memory.'),
  key: z.string().optional().describe('The slot, instead of the id.'),
  as_of: z.string().optional().describe('History as it was known at this time.'),
  valid_at: z
    .string()
    .optional()
    .describe(
      'Only the versions that were ever said to be true at this time (ISO 8601). Not together with valid_during.',
    ),
  valid_during: z
    .strictObject({ from: z.string().optional(), to: z.string().optional() })
    .optional()
    .describe('Only the versions that were ever said to be true at any time in this span.'),
  include_reads: z
    .boolean()
    .optional()
    .describe('Also who was served it, when and with what score (needs the role auditor, and is put on record).'),
  basis: z.string().optional().describe('History as of an earlier answer: the basis that it carried.'),
  limit: z
    .int()
    .min(1)
    .max(historyPage.most)
    .optional()
    .describe(`Entries of one page: the latest ones first; ${historyPage.usual} by default.`),
  cursor: z
    .string()
    .optional()
    .describe('The entries before those of a page: its `next`, together with the same parameters.'),
});
export type HistoryInput = z.infer<typeof historyInput>;

/** One event in a memory's life, oldest first. */
export const historyEntry = z.object({
  event: z.enum([
    'recorded',
    'revised',
    'forgotten',
    'restored',
    'archived',
    'quarantined',
    'released',
    'rated',
    'erased',
    'served',
  ]),
  /** Of `recorded`, `revised`, `rated` and `served`. */
  version: z.int().optional(),
  kind: z.enum(memoryKinds).optional(),
  /** Of a version: who it came from; `who` says who wrote it. */
  origin: z.enum(memoryOrigins).optional(),
  content: contentValue.optional(),
  tags: z.array(z.string()).optional(),
  metadata: anyObject.optional(),
  status: z.enum(itemStatuses).optional(),
  /** Held back for review since then, which was not so yet at the basis. */
  quarantined_at: z.string().optional(),
  recorded_at: z.string(),
  occurred_at: z.string().optional(),
  /** The stretches of valid time in which the version holds, as known at the basis. */
  valid: z.array(z.object({ from: z.string(), to: z.string().optional() })).optional(),
  system_from: z.string(),
  system_to: z.string().optional(),
  who: z.object({ principal: z.string(), agent: z.string().optional(), tool: z.string().optional() }),
  why: z.string().optional(),
  /** Of `rated`: how the version fared. */
  outcome: z.enum(ratingOutcomes).optional(),
  /** Of `served`: how high it was ranked, and the answer that it was part of. */
  score: z.number().optional(),
  recall_id: z.string().optional(),
  /** Names of the fields that differ from the version before. */
  changed: z.array(z.string()).optional(),
});

export const historyOutput = z.object({
  memory_id: z.string(),
  key: z.string().optional(),
  /** Absent where nothing was known yet at the time that was asked about. */
  status: z.enum(itemStatuses).optional(),
  entries: z.array(historyEntry),
  /** The cursor of the entries before these, where there are any. */
  next: z.string().optional(),
  basis: z.string(),
  /** It was known at the basis, and what it said then was erased since. */
  altered_by_erasure: z.boolean().optional(),
  /** It is held back for review since the basis: only reviewers are shown what it said. */
  altered_by_quarantine: z.boolean().optional(),
  /** What could not be given in full, and why. */
  notes: z.array(z.string()).optional(),
});
export type HistoryOutput = z.infer<typeof historyOutput>;
