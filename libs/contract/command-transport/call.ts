import { z } from 'zod';
import { aliasOutput } from '../alias.js';
import { roles } from '../caller.js';
import { enrichOutput } from '../enrich.js';
import { feedbackOutput } from '../feedback.js';
import { forgetOutput } from '../forget.js';
import { reviewOutput } from '../review.js';
import { writeLimits, writeOutput } from '../write.js';

/** Under which pattern of the transport commands travel. */
export const commandPattern = 'hindsight-ledger/command';

/** A call ends within this many milliseconds of its sending, whatever its size. */
export const longestCall = 120_000;

/** Clocks of services may differ by this many milliseconds. */
export const toleratedSkew = 30_000;

/** Bytes of a call's text: a batch of 500 memories of 64 KiB, with room for JSON's escapes. */
export const largestCall = 64 * 1024 * 1024;

const caller = z.object({
  bank: z.string(),
  principal: z.string(),
  roles: z.array(z.enum(roles)).readonly(),
  agent: z.string().optional(),
  tool: z.string().optional(),
  traceparent: z.string().optional(),
});

const importedItem = z.object({
  item: z.unknown(),
  from: z.object({
    source: z.string(),
    id: z.string(),
    occurrence: z.int().optional(),
    allowErased: z.boolean().optional(),
  }),
});

const servedRecall = z.object({
  recallId: z.string(),
  query: z.string(),
  filters: z.string().optional(),
  position: z.string().optional(),
  at: z.string(),
  validAt: z.string().optional(),
  items: z.array(z.object({ memoryId: z.string(), version: z.number(), score: z.number() })).readonly(),
  tookMs: z.number(),
  subjects: z.array(z.string()).readonly(),
  sessionId: z.string().optional(),
});

const auditedRead = z.object({
  ask: z.string(),
  rows: z.int(),
  about: z.string().optional(),
  parameters: z.string(),
  subjects: z.array(z.string()).readonly(),
  sessionId: z.string().optional(),
});

/** What is asked. Inputs of memories are checked where they are decided on, as if they had come directly. */
const asked = z.discriminatedUnion('method', [
  z.object({ method: z.literal('write'), input: z.unknown(), caller }),
  z.object({
    method: z.literal('importItems'),
    input: z.array(importedItem).max(writeLimits.items).readonly(),
    caller,
  }),
  z.object({ method: z.literal('forget'), input: z.unknown(), caller }),
  z.object({ method: z.literal('restore'), input: z.unknown(), caller }),
  z.object({ method: z.literal('review'), input: z.unknown(), caller }),
  z.object({ method: z.literal('rate'), input: z.unknown(), caller }),
  z.object({ method: z.literal('enrich'), input: z.unknown(), caller }),
  z.object({ method: z.literal('erase'), input: z.unknown(), caller }),
  z.object({ method: z.literal('eraseBank'), input: z.unknown(), caller }),
  z.object({ method: z.literal('alias'), input: z.unknown(), caller }),
  z.object({
    method: z.literal('recordRecalls'),
    input: z.object({
      durable: z.boolean(),
      recalls: z
        .array(z.object({ recall: servedRecall, caller }))
        .max(1_000)
        .readonly(),
    }),
  }),
  z.object({ method: z.literal('recordAudit'), input: auditedRead, caller }),
  z.object({
    method: z.literal('bankNamed'),
    input: z.object({ name: z.string(), ifMissing: z.enum(['make', 'refuse', 'leave']) }),
  }),
  z.object({ method: z.literal('ping') }),
]);
export type Asked = z.infer<typeof asked>;

/** One call, the same at every try of it. */
export const commandCall = z.object({
  v: z.literal(1),
  /** A UUID: tries of one call are answered as one. */
  id: z.uuid(),
  /** Milliseconds since the epoch, by the sender's clock; nobody waits for the answer any more. */
  deadline: z.int(),
  asked,
});
export type CommandCall = z.infer<typeof commandCall>;

/** A call as it is sent: `call` is the JSON text that was signed, with the number of the try. */
export const callFrame = z.object({ call: z.string(), attempt: z.int().min(1), mac: z.string() });
export type CallFrame = z.infer<typeof callFrame>;

const told = z.object({ code: z.string(), message: z.string(), details: z.record(z.string(), z.unknown()) });

/** What came of a call. `error` is one that the caller is meant to read. */
export const commandAnswer = z.object({ id: z.uuid(), value: z.unknown().optional(), error: told.optional() });
export type CommandAnswer = z.infer<typeof commandAnswer>;

/** An answer as it is sent. */
export const answerFrame = z.object({ answer: z.string(), mac: z.string() });
export type AnswerFrame = z.infer<typeof answerFrame>;

/** Why a call was not even looked at; not signed, since whoever sent it may have no key. */
export const refusal = z.object({
  refused: z.enum(['malformed', 'unsigned', 'expired', 'replayed', 'stopping']),
  message: z.string(),
});
export type Refusal = z.infer<typeof refusal>;

const restored = z.object({
  status: z.enum(['restored', 'unchanged']),
  memory_id: z.string(),
  version: z.int(),
  basis: z.string().optional(),
});

/** What each method answers with. */
export const answersOf = {
  write: writeOutput,
  importItems: writeOutput,
  forget: forgetOutput,
  restore: restored,
  review: reviewOutput,
  rate: feedbackOutput,
  enrich: enrichOutput,
  erase: forgetOutput,
  eraseBank: forgetOutput,
  alias: aliasOutput,
  recordRecalls: z.null(),
  recordAudit: z.null(),
  bankNamed: z.string(),
  ping: z.null(),
} as const;
