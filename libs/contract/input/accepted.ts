import type { JsonSchema } from './listed-schema.js';

/** What a parameter accepts, in words, read from the schema that is listed for it. */
export function accepted(schema: JsonSchema): string {
  if (schema.anyOf) return [...new Set(schema.anyOf.map(accepted))].join(', or ');
  if (schema.enum)
    return schema.enum.length === 1 ? shown(schema.enum[0]) : `one of ${schema.enum.map(shown).join(', ')}`;
  switch (schema.type) {
    case 'string':
      if (schema.format === 'uuid') return `a UUID, for example ${exampleUuid}`;
      return `text${between(schema.minLength, schema.maxLength, 'characters')}`;
    case 'integer':
      return `a whole number${inRange(schema)}`;
    case 'number':
      return `a number${inRange(schema)}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return `a list${between(schema.minItems, schema.maxItems, 'entries')}${schema.items ? `, each ${accepted(schema.items)}` : ''}`;
    case 'object':
      return schema.properties ? `an object with ${Object.keys(schema.properties).join(', ')}` : 'an object';
    default:
      return 'any value';
  }
}

const exampleUuid = '0199d2c1-6f4e-7a31-9b0c-5d2e8f7a4c60';

/** The schema at a path into a value, as far as it is known. */
export function schemaAt(schema: JsonSchema, path: readonly PropertyKey[]): JsonSchema {
  let at = schema;
  for (const part of path) {
    const next = typeof part === 'number' ? at.items : at.properties?.[String(part)];
    if (!next) return {};
    at = next;
  }
  return at;
}

function between(least: number | undefined, most: number | undefined, what: string): string {
  if (least !== undefined && most !== undefined) return ` of ${least} to ${most} ${what}`;
  if (least !== undefined && least > 0)
    return ` of at least ${least} ${least === 1 ? what.replace(/ies$|s$/, (end) => (end === 'ies' ? 'y' : '')) : what}`;
  return most === undefined ? '' : ` of at most ${most} ${what}`;
}

function inRange({ minimum, exclusiveMinimum, maximum }: JsonSchema): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (exclusiveMinimum !== undefined) return ` above ${exclusiveMinimum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? '' : ` of at most ${maximum}`;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
