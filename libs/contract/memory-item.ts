import { z } from 'zod';
import { memoryKinds, memoryOrigins } from '#events/version-fields.js';
import { anyObject } from './any-object.js';

export const itemStatuses = [
  'current',
  'superseded',
  'retracted',
  'expired',
  'archived',
  'quarantined',
  'erased',
] as const;

/** Statuses that a search may show; `quarantined` only to reviewers. What is erased says nothing any more: only history and audits name it. */
export const shownStatuses = ['current', 'superseded', 'retracted', 'expired', 'archived', 'quarantined'] as const;

export const contentValue = z.union([z.string(), anyObject]);

/** How an item came to be ranked where it is; one entry per leg that found it. */
export const itemExplanation = z.object({
  legs: z.record(z.string(), z.object({ rank: z.int(), score: z.number() })),
  matched: z.array(z.string()).optional(),
  /** By name; what a feature adds is its value times its weight. */
  features: z.record(z.string(), z.object({ value: z.number(), weight: z.number() })).optional(),
  /** What else decided, in words. */
  why: z.array(z.string()).optional(),
});
export type ItemExplanation = z.infer<typeof itemExplanation>;

/** A memory in an answer. Times are ISO 8601 with offset. */
export const memoryItem = z.object({
  id: z.string(),
  version: z.int(),
  kind: z.enum(memoryKinds),
  content: contentValue,
  status: z.enum(itemStatuses),
  /** Of a past basis: held back for review since then, which was not so yet. Only reviewers are shown such an item. */
  quarantined_at: z.string().optional(),
  key: z.string().optional(),
  tags: z.array(z.string()),
  metadata: anyObject.optional(),
  subjects: z.array(z.string()).optional(),
  source: z.object({
    principal: z.string(),
    agent: z.string().optional(),
    origin: z.enum(memoryOrigins),
    session_id: z.string().optional(),
    task_id: z.string().optional(),
    step: z.string().optional(),
    tool: z.string().optional(),
    external_id: z.string().optional(),
  }),
  importance: z.number(),
  confidence: z.number(),
  trust: z.number(),
  recorded_at: z.string(),
  occurred_at: z.string().optional(),
  valid_from: z.string(),
  valid_to: z.string().optional(),
  system_from: z.string(),
  system_to: z.string().optional(),
  derived_from: z.array(z.string()).optional(),
  /**
   * What it took the place of: the version that was true just before it; else, with `system_to`, the one that was believed of the same
   * time until then. Its content is cut.
   */
  replaced: z
    .array(
      z.object({
        version: z.int(),
        content: z.string(),
        valid_from: z.string(),
        valid_to: z.string().optional(),
        system_to: z.string().optional(),
      }),
    )
    .optional(),
  /** Memories that say the same in nearly the same words, for which this one stands. */
  also: z.array(z.string()).optional(),
  score: z.number().optional(),
  explain: itemExplanation.optional(),
});
export type MemoryItem = z.infer<typeof memoryItem>;
