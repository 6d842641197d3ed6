import { z } from 'zod';

/** The part of JSON Schema that zod's own conversion of our schemas makes. */
export interface JsonSchema {
  [keyword: string]: unknown;
  type?: string | string[];
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  additionalProperties?: boolean | JsonSchema;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

type ObjectSchema = JsonSchema & { type: 'object' };

const made = { input: new WeakMap<z.ZodObject, ObjectSchema>(), output: new WeakMap<z.ZodObject, ObjectSchema>() };

/**
 * A zod object as JSON Schema for `tools/list`, made once. Draft 7, since most clients' validators know it, and without
 * `$schema`, `propertyNames`, lists of types and the bounds of safe integers, since some clients' models refuse what they
 * do not know.
 */
export function listedSchema(schema: z.ZodObject, io: 'input' | 'output'): ObjectSchema {
  const known = made[io].get(schema);
  if (known) return known;
  const listed = convert(schema, io);
  made[io].set(schema, listed);
  return listed;
}

function convert(schema: z.ZodObject, io: 'input' | 'output'): ObjectSchema {
  const { $schema: _, ...made } = z.toJSONSchema(schema, { target: 'draft-7', io, reused: 'inline' });
  return { ...portable(made as JsonSchema), type: 'object' };
}

function portable({ propertyNames: _, ...schema }: JsonSchema): JsonSchema {
  const { type, minimum, maximum, properties, items, anyOf, additionalProperties: rest } = schema;
  if (minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (properties)
    schema.properties = Object.fromEntries(Object.entries(properties).map(([name, of]) => [name, portable(of)]));
  if (items) schema.items = portable(items);
  if (anyOf) schema.anyOf = anyOf.map(portable);
  if (typeof rest === 'object') schema.additionalProperties = Object.keys(rest).length === 0 || portable(rest);
  if (!Array.isArray(type)) return schema;
  const { type: __, ...others } = schema;
  return { ...others, anyOf: type.map((one: string) => ({ type: one })) };
}
