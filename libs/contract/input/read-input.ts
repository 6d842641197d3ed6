import type { z } from 'zod';
import { inputError } from './input-error.js';
import { listedSchema } from './listed-schema.js';
import { withoutNulls } from './without-nulls.js';

export interface ReadAs {
  /** What errors quote, where some of it is read piece by piece; `schema` by default. */
  readonly listed?: z.ZodObject;
  /** Where the value stands in the call, for example ['items', 3]. */
  readonly within?: readonly PropertyKey[];
}

/**
 * Checks what a caller sent, by the schema that the tools list. A null for an optional parameter counts as absent, since
 * many clients send it so; nothing else is coerced.
 * @throws HindsightError invalid_input · unknown_parameter · too_many, each with {parameter, parameters}
 */
export function readInput<Schema extends z.ZodObject>(
  schema: Schema,
  args: unknown,
  { listed = schema, within = [] }: ReadAs = {},
): z.output<Schema> {
  const first = schema.safeParse(args);
  if (first.success) return first.data;
  // JSON Schema is made only for an error: it costs more than the rest of a write.
  const quoted = listedSchema(listed, 'input');
  const cleaned = withoutNulls(quoted, args);
  const second = schema.safeParse(cleaned);
  if (second.success) return second.data;
  throw inputError(second.error.issues, quoted, cleaned, within);
}
