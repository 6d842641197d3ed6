import { z } from 'zod';

const short = z.string().min(1).max(300);
/** The words that a finding rests on, as they stand in the text. */
const quote = z.string().min(1).max(600);

/** What a model is asked to answer with: no more and nothing else. */
export const modelAnswer = z.strictObject({
  entities: z
    .array(
      z.strictObject({
        name: short,
        kind: z.enum([
          'person',
          'organisation',
          'place',
          'tool',
          'work',
          'version',
          'path',
          'identifier',
          'url',
          'email',
          'name',
        ]),
      }),
    )
    .max(64),
  relations: z
    .array(
      z.strictObject({
        subject: short,
        relation: z.string().min(1).max(40),
        object: short,
        state: z.enum(['holds', 'was', 'not', 'planned']),
        quote,
      }),
    )
    .max(64),
  dates: z
    .array(
      z.strictObject({
        from: z.string().max(40),
        to: z.string().max(40),
        grain: z.enum([
          'minute',
          'hour',
          'part',
          'day',
          'weekend',
          'week',
          'month',
          'quarter',
          'season',
          'year',
          'decade',
        ]),
        exact: z.boolean(),
        quote,
      }),
    )
    .max(64),
});
export type ModelAnswer = z.infer<typeof modelAnswer>;

/**
 * The same as JSON Schema, as servers take it: without bounds, which OpenAI's refuse in a strict schema. What is longer than may be is refused
 * when it is read.
 */
export function modelAnswerSchema(): unknown {
  return withoutBounds(z.toJSONSchema(modelAnswer));
}

const bounds = new Set(['$schema', 'minLength', 'maxLength', 'maxItems']);

function withoutBounds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutBounds);
  if (schema === null || typeof schema !== 'object') return schema;
  const kept = Object.entries(schema).filter(([name]) => !bounds.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutBounds(value)]));
}
