import { z } from 'zod';
import { memoryKinds } from '#events/version-fields.js';
import { memoryItem, shownStatuses } from './memory-item.js';
import { writeLimits } from './write.js';

const range = z.strictObject({ from: z.string().optional(), to: z.string().optional() });

export const searchInput = z.strictObject({
  query: z.string().describe('The question, in words: English, Chinese or both.'),
  kinds: z.array(z.enum(memoryKinds)).min(1).optional().describe('Only memories of these kinds.'),
  session_id: z.string().optional().describe('Only what was written in this session.'),
  task_id: z.string().optional().describe('Only what was written for this task.'),
  tags: z.array(z.string()).max(writeLimits.tags).optional().describe('All of them must be there.'),
  subject: z.string().optional().describe('Only what is about this person.'),
  time_range: range.optional().describe('When it happened (ISO 8601): from inclusive, to exclusive.'),
  as_of: z.string().optional().describe('Answer with what was known at this time (ISO 8601).'),
  valid_at: z
    .string()
    .optional()
    .describe('Answer with what was true at this time (ISO 8601). Not together with valid_during.'),
  valid_during: range.optional().describe('Answer with what was true at any time in this span, instead of valid_at.'),
  basis: z.string().optional().describe('Repeat an earlier answer: the basis that it carried.'),
  top_k: z.int().min(1).max(100).optional().describe('5 by default.'),
  token_budget: z
    .int()
    .min(1)
    .optional()
    .describe('No more tokens than this. What is too long is left out whole, and named in the notes.'),
  min_score: z.number().min(0).max(1).optional().describe('Leave out items that score below this.'),
  include: z
    .array(z.enum(shownStatuses))
    .optional()
    .describe(
      'Statuses beyond current: superseded is what held before (its valid_to is past, too), expired what outlived its ttl.',
    ),
  explain: z.boolean().optional().describe('Say of each item how it came to be ranked where it is.'),
});
export type SearchInput = z.infer<typeof searchInput>;

/** How a question was taken, and what did not come into the answer. */
export const searchExplanation = z.object({
  /** What was searched for, where filler was cut. */
  text: z.string().optional(),
  cut: z.array(z.string()).optional(),
  /** How candidates were weighed, and which legs the bank has switched off. */
  profile: z.string().optional(),
  off: z.array(z.string()).optional(),
  /** The form of memory whose weights ranked. */
  form: z.string().optional(),
  /** Candidates that were left out, the best first. */
  dropped: z.array(z.object({ id: z.string(), version: z.int(), score: z.number(), why: z.string() })).optional(),
  /** The score below which nothing is served: the higher of the form's own cut and what is needed beside the best; or what min_score asked for. */
  cutoff: z.number().optional(),
  /** The form's own cut. */
  form_cutoff: z.number().optional(),
  /** The share of the best candidate's score that is needed beside it. */
  beside_best: z.number().optional(),
  /** The same of what is written in the other language than the question, where that is less. */
  beside_best_across: z.number().optional(),
  /** The chance that anything here is an answer; where it is low, nothing is served unless min_score asks for it. */
  holds: z.number().optional(),
});
export type SearchExplanation = z.infer<typeof searchExplanation>;

export const searchOutput = z.object({
  items: z.array(memoryItem),
  basis: z.string(),
  recall_id: z.string(),
  /** Something that counted at the basis was erased since: the answer may not be what it was. */
  altered_by_erasure: z.boolean().optional(),
  /** Something that stood at the basis is held back for review since, and left out: only reviewers are shown it. */
  altered_by_quarantine: z.boolean().optional(),
  /** Parts of the answer that could not be given in full, and why. */
  notes: z.array(z.string()).optional(),
  /** With `explain`. */
  explained: searchExplanation.optional(),
});
export type SearchOutput = z.infer<typeof searchOutput>;
