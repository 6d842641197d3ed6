import { z } from 'zod';
import { ownWeights, type RecallSettings, rankingProfiles, recallLegs } from '#events/recall-settings.js';

/** A name as memories and questions write it. */
const name = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .refine((text) => text.isWellFormed(), 'a name is well-formed Unicode: this one has a lone surrogate');

/** Groups of names of one thing each: one alone is a name that the rules would not see. */
export const namesInput = z.array(z.array(name).min(1).max(12)).max(200);

/** What is to be otherwise from now on; what is not named stays as it is. */
export const configureInput = z.strictObject({
  legs: z.partialRecord(z.enum(recallLegs), z.boolean()).optional(),
  profile: z.enum(rankingProfiles).optional(),
  /** Null: those that ship. */
  weights: ownWeights.nullable().optional(),
  /** All of them each time; null: none. */
  names: namesInput.nullable().optional(),
});
export type ConfigureInput = z.infer<typeof configureInput>;

/** How a bank is recalled from, and since when; without `since`, nobody ever said otherwise. */
export interface BankSettings {
  readonly recall: RecallSettings;
  /** The groups of names that open: one of whose names somebody was erased is gone. */
  readonly names?: readonly (readonly string[])[] | undefined;
  /** ISO, UTC. */
  readonly since?: string;
  readonly by?: string;
}

export interface Configured extends BankSettings {
  readonly status: 'stored' | 'unchanged';
}
