import { z } from 'zod';
import { memoryKinds, memoryOrigins } from '#events/version-fields.js';
import { anyObject } from './any-object.js';
import { contentValue } from './memory-item.js';

/** Limits of one write; errors name them. */
export const writeLimits = {
  contentBytes: 64 * 1024,
  metadataBytes: 16 * 1024,
  tags: 64,
  subjects: 64,
  /** Characters of a key, tag, subject, id or idempotency key. */
  nameLength: 512,
  items: 500,
} as const;

const name = z.string().min(1).max(writeLimits.nameLength);

export const writeItem = z.strictObject({
  content: contentValue.describe('What to remember: text, or an object.'),
  kind: z.enum(memoryKinds).optional().describe('working, episodic, semantic (default) or experience.'),
  key: name
    .optional()
    .describe(
      'The slot that this fact fills, for example "project.database": writing the same key again makes a new version and supersedes the old one.',
    ),
  memory_id: z.string().optional().describe('Revise this memory instead of making a new one.'),
  if_version: z
    .int()
    .min(0)
    .optional()
    .describe('Write only if the memory is at this version now (0: only if it does not exist).'),
  session_id: name.optional().describe('The session that this belongs to.'),
  task_id: name.optional().describe('The task that this belongs to.'),
  step: z
    .union([name, z.int()])
    .optional()
    .describe('Step of the task; the same session, step and action again is the same memory.'),
  action: name.optional().describe('What was done in the step.'),
  occurred_at: z.string().optional().describe('When it happened (ISO 8601).'),
  valid_from: z.string().optional().describe('Since when it is true in the world; may lie in the past or future.'),
  valid_to: z.string().optional().describe('Until when it is true (exclusive).'),
  ttl: z
    .union([z.number().positive(), z.string()])
    .optional()
    .describe('Time to live: seconds, or a duration such as "30m", "12h", "7d", "P30D".'),
  origin: z.enum(memoryOrigins).optional().describe('Who it came from: user, agent (default), tool, import, system.'),
  importance: z.number().min(0).max(1).optional().describe('How much it matters, 0 to 1; 0.5 by default.'),
  confidence: z.number().min(0).max(1).optional().describe('How sure it is, 0 to 1; 1 by default.'),
  subjects: z
    .array(name)
    .max(writeLimits.subjects)
    .optional()
    .describe('Names of the people that this is about, so that all about one can be found and forgotten together.'),
  tags: z
    .array(name)
    .max(writeLimits.tags)
    .optional()
    .describe('Labels to filter a search by. A new version has those given with it.'),
  metadata: anyObject.optional().describe('Anything else worth keeping, as an object.'),
  derived_from: z.array(z.string()).max(100).optional().describe('Ids of the memories that this one rests on.'),
  idempotency_key: name
    .optional()
    .describe('A repeated call with the same key changes nothing and returns the first answer.'),
});
export type WriteItem = z.infer<typeof writeItem>;

/** Flat and strict, since a union would be listed as empty: either one memory's fields, or `items`. */
export const writeInput = writeItem.partial({ content: true }).extend({
  items: z
    .array(writeItem)
    .min(1)
    .max(writeLimits.items)
    .optional()
    .describe(
      'Many memories at once, each with an outcome of its own: look at each, since the status of the whole is stored as soon as one item is.',
    ),
});
export type WriteInput = z.infer<typeof writeInput>;

/** `writeInput` with the items of a batch unread: each is then checked by itself, so that one wrong item costs only itself. */
export const looseWriteInput = writeInput.extend({
  items: z.array(z.unknown()).min(1).max(writeLimits.items).optional(),
});

/** `source` and `id` of an imported record: its natural key. Only an import sets it, never a tool's caller. */
export interface ImportedFrom {
  readonly source: string;
  readonly id: string;
  /** 2, 3, … where the source tells of this id more than once: each is a later version, whenever it is imported. */
  readonly occurrence?: number;
  /** It may be written although it was erased; on record. */
  readonly allowErased?: boolean;
}

export const problem = z.object({
  code: z.string(),
  message: z.string(),
  hint: z.string().optional(),
  details: z.record(z.string(), z.unknown()).optional(),
});

export const writeOutcome = z.object({
  memory_id: z.string().optional(),
  version: z.int().optional(),
  status: z
    .enum(['stored', 'unchanged', 'quarantined', 'conflict', 'error'])
    .describe('What came of the write. Of a batch: the best that any item came to; each item has its own.'),
  /** The version that this one took the place of. */
  superseded: z.int().optional(),
  error: problem.optional(),
});
export type WriteOutcome = z.infer<typeof writeOutcome>;

export const writeOutput = writeOutcome.extend({
  basis: z.string().optional(),
  items: z.array(writeOutcome).optional(),
});
export type WriteOutput = z.infer<typeof writeOutput>;
