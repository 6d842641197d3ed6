import { z } from 'zod';
import { writeLimits } from './write.js';

const name = z.string().min(1).max(writeLimits.nameLength);

export const aliasInput = z.strictObject({
  name: name.describe('A person, as memories name them.'),
  alias: name.describe('Another name of the same person.'),
});
export type AliasInput = z.infer<typeof aliasInput>;

export const aliasOutput = z.object({
  status: z.enum(['stored', 'unchanged']),
  /** All names that mean this person now. */
  names: z.array(z.string()),
});
export type AliasOutput = z.infer<typeof aliasOutput>;
