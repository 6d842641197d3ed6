import type { JsonSchema } from './listed-schema.js';

/** Leaves out nulls where the schema has an optional parameter; what is inside free-form objects stays as it is. */
export function withoutNulls(schema: JsonSchema, value: unknown): unknown {
  if (Array.isArray(value)) return schema.items ? value.map((entry) => withoutNulls(schema.items ?? {}, entry)) : value;
  const { properties, required = [] } = schema;
  if (typeof value !== 'object' || value === null || !properties) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, entry]) => entry !== null || required.includes(name) || !Object.hasOwn(properties, name))
      .map(([name, entry]) => [
        name,
        Object.hasOwn(properties, name) ? withoutNulls(properties[name] ?? {}, entry) : entry,
      ]),
  );
}
