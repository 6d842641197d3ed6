import { z } from 'zod';
import { sealedBox } from './sealed-box.js';

/** The ways by which memories are found. */
export const recallLegs = ['vector', 'keyword', 'slot', 'graph', 'time'] as const;
export type RecallLeg = (typeof recallLegs)[number];

/**
 * How candidates are ranked: `learned`, by a logistic model over what is known of each · `seeds`, by .4 · vector + .3 · keyword + .2 · graph +
 * .1 · recency.
 */
export const rankingProfiles = ['learned', 'seeds'] as const;
export type RankingProfile = (typeof rankingProfiles)[number];

/** Far beyond what any weight comes to; what is larger was no weight. */
const weight = z.number().min(-1_000).max(1_000);

const model = z.strictObject({
  intercept: weight,
  /** By names of features. */
  of: z.record(z.string(), weight),
  /** The chance below which nothing is served. */
  cut: z.number().min(0).max(1),
});

/** Weights of a bank's own, per form of memory, in place of those that ship; a form that is not there keeps those. */
export const ownWeights = z.strictObject({
  /** Names the features that they were fitted on: to others they mean nothing. */
  features: z.string().min(1),
  forms: z.record(z.string(), z.strictObject({ vectors: model.optional(), keywords: model.optional() })),
});
export type OwnWeights = z.infer<typeof ownWeights>;

/** Names of one thing, sealed by themselves: `subjects` are keyed hashes of them, and whoever of these is erased ends the group. */
const sealedNames = z.strictObject({ id: z.string(), box: sealedBox, subjects: z.array(z.string()) });
export type SealedNames = z.infer<typeof sealedNames>;

/** What decides a bank's answers beside what is in it. All of it each time: the last one counts. */
export const recallSettings = z.strictObject({
  /** Legs that are switched off. */
  off: z.array(z.enum(recallLegs)),
  profile: z.enum(rankingProfiles),
  /** Absent where those that ship are in force. */
  weights: ownWeights.optional(),
  /** Absent where none were given. */
  names: z.array(sealedNames).optional(),
});
export type RecallSettings = z.infer<typeof recallSettings>;

/** Where nothing was configured. */
export const usualSettings: RecallSettings = { off: [], profile: 'learned' };
