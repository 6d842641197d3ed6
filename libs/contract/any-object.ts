import { z } from 'zod';

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object of any members, taken as it is: `z.record` makes a copy, and a member named `__proto__` is not in it. */
export const anyObject = z
  .unknown()
  .refine(isObject)
  .meta({ type: 'object', additionalProperties: true }) as unknown as z.ZodType<
  Record<string, unknown>,
  Record<string, unknown>
>;
