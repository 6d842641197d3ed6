import type { z } from 'zod';
import { inputError } from './input-error.js';
import type { JsonSchema } from './listed-schema.js';
import { withoutNulls } from './without-nulls.js';

/**
 * Validates what an agent sent. A null for an optional parameter counts as absent, since many clients send it so;
 * nothing else is coerced.
 * @param listed the schema that errors quote, made only when there is an error
 * @param within where the value stands in the call, for example ['items', 3]
 * @throws HindsightError invalid_input · unknown_parameter
 */
export function readInput<Schema extends z.ZodObject>(
  schema: Schema,
  listed: () => JsonSchema,
  args: unknown,
  within: readonly PropertyKey[] = [],
): z.output<Schema> {
  const first = schema.safeParse(args);
  if (first.success) return first.data;
  const cleaned = withoutNulls(listed(), args);
  const second = schema.safeParse(cleaned);
  if (second.success) return second.data;
  throw inputError(second.error.issues, listed(), cleaned, within);
}
