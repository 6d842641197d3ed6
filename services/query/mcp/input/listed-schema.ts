import { z } from 'zod';

/** The part of JSON Schema that zod's own conversion of our schemas makes. */
export interface JsonSchema {
  [keyword: string]: unknown;
  type?: string;
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
 * `$schema`, `propertyNames` and the bounds of safe integers, since some clients' models refuse keywords that they do not
 * know.
 */
export function listedSchema(schema: z.ZodObject, io: 'input' | 'output'): ObjectSchema {
  const known = made[io].get(schema);
  if (known) return known;
  const listed = convert(schema, io);
  made[io].set(schema, listed);
  return listed;
}

function convert(schema: z.ZodObject, io: 'input' | 'output'): ObjectSchema {
  const { $schema: _, ...listed } = z.toJSONSchema(schema, {
    target: 'draft-7',
    io,
    reused: 'inline',
    override: ({ jsonSchema }) => {
      delete jsonSchema.propertyNames;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      const rest = jsonSchema.additionalProperties;
      if (rest && typeof rest === 'object' && Object.keys(rest).length === 0) jsonSchema.additionalProperties = true;
    },
  });
  return { ...(listed as JsonSchema), type: 'object' };
}
