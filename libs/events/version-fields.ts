import { z } from 'zod';

/** ISO 8601 in UTC with milliseconds: one spelling per moment, so that stored times compare as text. */
export const instantPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
export const instant = z.string().regex(instantPattern);

export const memoryKinds = ['working', 'episodic', 'semantic', 'experience'] as const;
export const memoryOrigins = ['user', 'agent', 'tool', 'import', 'system'] as const;
export type MemoryKind = (typeof memoryKinds)[number];
export type MemoryOrigin = (typeof memoryOrigins)[number];

/** The plain part of a version. Times are as given; what was not given is absent, and resolved by whoever folds. */
export const versionData = z.strictObject({
  memoryId: z.string(),
  /** 1, 2, …: counts the versions of a memory; the stream's revision also counts what is no version. */
  version: z.int().min(1),
  kind: z.enum(memoryKinds),
  origin: z.enum(memoryOrigins),
  occurredAt: instant.optional(),
  validFrom: instant.optional(),
  validTo: instant.optional(),
  expiresAt: instant.optional(),
  /** 0 to 1 */
  importance: z.number().min(0).max(1).optional(),
  /** 0 to 1 */
  confidence: z.number().min(0).max(1).optional(),
  derivedFrom: z.array(z.string()).optional(),
});
export type VersionData = z.infer<typeof versionData>;

/**
 * The sealed part of a version. `content` is the JSON text of what was written (a string or an object): JSON text keeps
 * lone surrogates, NUL and the like exactly, as escapes.
 */
export const versionContent = z.strictObject({
  content: z.string(),
  key: z.string().optional(),
  tags: z.array(z.string()).optional(),
  /** JSON text of the metadata object. */
  metadata: z.string().optional(),
  subjects: z.array(z.string()).optional(),
  action: z.string().optional(),
  externalSource: z.string().optional(),
  externalId: z.string().optional(),
  idempotencyKey: z.string().optional(),
});
export type VersionContent = z.infer<typeof versionContent>;
