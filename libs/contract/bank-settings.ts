import { z } from 'zod';
import { ownWeights, type RecallSettings, rankingProfiles, recallLegs } from '#events/recall-settings.js';

/** What is to be otherwise from now on; what is not named stays as it is. */
export const configureInput = z.strictObject({
  legs: z.partialRecord(z.enum(recallLegs), z.boolean()).optional(),
  profile: z.enum(rankingProfiles).optional(),
  /** Null: those that ship. */
  weights: ownWeights.nullable().optional(),
});
export type ConfigureInput = z.infer<typeof configureInput>;

/** How a bank is recalled from, and since when; without `since`, nobody ever said otherwise. */
export interface BankSettings {
  readonly recall: RecallSettings;
  /** ISO, UTC. */
  readonly since?: string;
  readonly by?: string;
}

export interface Configured extends BankSettings {
  readonly status: 'stored' | 'unchanged';
}
