import { z } from 'zod';
import { ratingOutcomes } from '#events/memory-rated.js';
import { memoryKinds, memoryOrigins } from '#events/version-fields.js';
import { contentValue, itemStatuses, memoryItem } from './memory-item.js';
import { writeLimits } from './write.js';

/** What an audit may ask. */
export const audits = ['belief', 'state', 'diff', 'shown', 'who', 'retroactive', 'events'] as const;
export type Ask = (typeof audits)[number];

/** Rows of one page. */
export const auditPage = { usual: 50, most: 5_000 } as const;

const range = z.strictObject({ from: z.string().optional(), to: z.string().optional() });

export const auditInput = z.strictObject({
  ask: z
    .enum(audits)
    .describe(
      'belief: three readings of a question about the past · state: all memories as of a basis · diff: what changed between two bases · shown: what somebody had been shown before a moment · who: who wrote what, when and why · retroactive: what was recorded long after it became true · events: the events behind memories.',
    ),
  query: z.string().optional().describe('belief: the question, in words.'),
  at: z
    .string()
    .optional()
    .describe('belief: the moment in the past that the question is about. shown: what was shown before it (now).'),
  from: z.string().optional().describe('A time, inclusive; diff: the earlier basis, or a time (ISO 8601).'),
  to: z.string().optional().describe('A time, exclusive; diff: the later basis, or a time (now by default).'),
  as_of: z.string().optional().describe('What the ledger knew at this time (ISO 8601).'),
  valid_at: z.string().optional().describe('What was true at this time (ISO 8601). Not together with valid_during.'),
  valid_during: range.optional().describe('What was true at any time in this span, instead of valid_at.'),
  basis: z.string().optional().describe('What the ledger knew at an earlier answer: the basis that it carried.'),
  memory_id: z.string().optional().describe('Only this memory.'),
  key: z.string().optional().describe('Only the memory of this slot, instead of memory_id.'),
  principal: z.string().optional().describe('Only what this principal wrote, or was shown.'),
  session_id: z.string().optional().describe('Only what was written, or shown, in this session.'),
  task_id: z.string().optional().describe('Only what was written for this task.'),
  kinds: z.array(z.enum(memoryKinds)).min(1).optional().describe('Only memories of these kinds.'),
  tags: z.array(z.string()).max(writeLimits.tags).optional().describe('All of them must be there.'),
  subject: z.string().optional().describe('Only what is about this person.'),
  include: z
    .array(z.enum(itemStatuses))
    .optional()
    .describe('belief, state: statuses beyond current, for example retracted or archived.'),
  by: z
    .string()
    .optional()
    .describe(
      'retroactive: recorded later than this after it became true, for example 90s, 15m, 1h (the default), 30d.',
    ),
  limit: z.int().min(1).max(auditPage.most).optional().describe(`Rows of one page; ${auditPage.usual} by default.`),
  cursor: z
    .string()
    .optional()
    .describe(
      'The next page: `next` of the one before, together with the same parameters. It rests on the same basis.',
    ),
});
export type AuditInput = z.infer<typeof auditInput>;

/** What a difference, or an event, did to a memory. */
export const auditChanges = [
  'added',
  'revised',
  'forgotten',
  'restored',
  'archived',
  'quarantined',
  'released',
  'rated',
  'erased',
  'expired',
  'began',
  'ended',
] as const;
export type AuditChange = (typeof auditChanges)[number];

const said = z.object({
  version: z.int(),
  status: z.enum(itemStatuses),
  content: contentValue.optional(),
  valid_from: z.string().optional(),
  valid_to: z.string().optional(),
});

/** One row of an answer; which members it has follows from what was asked. Times are ISO 8601. */
export const auditRow = z.object({
  memory_id: z.string().optional(),
  key: z.string().optional(),
  version: z.int().optional(),
  kind: z.enum(memoryKinds).optional(),
  status: z.enum(itemStatuses).optional(),
  content: contentValue.optional(),
  tags: z.array(z.string()).optional(),
  /** What happened to the memory, or is different. */
  change: z.enum(auditChanges).optional(),
  before: said.optional(),
  after: said.optional(),
  valid_from: z.string().optional(),
  valid_to: z.string().optional(),
  system_from: z.string().optional(),
  system_to: z.string().optional(),
  recorded_at: z.string().optional(),
  occurred_at: z.string().optional(),
  /** Seconds from when it became true to when it was recorded. */
  late_by: z.number().optional(),
  principal: z.string().optional(),
  agent: z.string().optional(),
  tool: z.string().optional(),
  origin: z.enum(memoryOrigins).optional(),
  session_id: z.string().optional(),
  task_id: z.string().optional(),
  why: z.string().optional(),
  /** Of a rating: how the version fared. */
  outcome: z.enum(ratingOutcomes).optional(),
  /** Of the event behind the row. */
  event_id: z.string().optional(),
  type: z.string().optional(),
  stream: z.string().optional(),
  position: z.string().optional(),
  hash: z.string().optional(),
  /** What was shown, when, and in answer to what. */
  recall_id: z.string().optional(),
  shown_at: z.string().optional(),
  query: z.string().optional(),
  shown: z
    .array(
      z.object({
        memory_id: z.string(),
        version: z.int(),
        score: z.number(),
        key: z.string().optional(),
        content: contentValue.optional(),
        /** How that version stands at the basis of this answer. */
        status: z.enum(itemStatuses).optional(),
      }),
    )
    .optional(),
});
export type AuditRow = z.infer<typeof auditRow>;

const reading = z.object({
  /** What it is a reading of, in the language of the question. */
  title: z.string(),
  items: z.array(memoryItem),
  basis: z.string(),
  /** What the ledger knew: the time of the basis. */
  as_of: z.string(),
  valid_at: z.string(),
});
export type Reading = z.infer<typeof reading>;

export const auditOutput = z.object({
  ask: z.enum(audits),
  rows: z.array(auditRow),
  /** What belief answers: the question read in three ways. */
  readings: z
    .object({
      true_now: reading,
      /** What is known today of that moment. */
      true_then: reading,
      /** What the ledger would have answered at that moment. */
      answered_then: reading,
    })
    .optional(),
  /** Where the readings differ, in plain sentences: what was recorded when, by whom and why. */
  because: z.array(z.string()).optional(),
  /** The cursor of the next page, where there is one. */
  next: z.string().optional(),
  basis: z.string(),
  /** diff: the earlier of its two bases. */
  from_basis: z.string().optional(),
  altered_by_erasure: z.boolean().optional(),
  /** Something of it is held back for review since the basis: only reviewers are shown what it said. */
  altered_by_quarantine: z.boolean().optional(),
  /** Parts of the answer that could not be given in full, and why. */
  notes: z.array(z.string()).optional(),
});
export type AuditOutput = z.infer<typeof auditOutput>;
