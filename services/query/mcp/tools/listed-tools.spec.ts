import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../testing/connect.js';

type Listed = Awaited<ReturnType<Awaited<ReturnType<typeof connect>>['client']['listTools']>>['tools'][number];

const names = [
  'memory_search',
  'memory_write',
  'memory_feedback',
  'memory_forget',
  'memory_restore',
  'memory_history',
  'memory_stats',
  'memory_audit',
];
let tools: Map<string, Listed>;

beforeAll(async () => {
  await using connected = await connect();
  tools = new Map((await connected.client.listTools()).tools.map((tool) => [tool.name, tool]));
});

it('lists these tools and no other', () => expect([...tools.keys()]).toEqual(names));

describe.each(names)('%s', (name) => {
  it('has an input schema that a strict client can use', () => {
    const { inputSchema } = tools.get(name)!;
    expect(inputSchema).toMatchObject({ type: 'object', properties: expect.any(Object), additionalProperties: false });
    expect(problems(inputSchema)).toEqual([]);
  });

  it('has an output schema that a strict client can use', () => {
    const { outputSchema } = tools.get(name)!;
    expect(outputSchema).toMatchObject({ type: 'object', properties: expect.any(Object) });
    expect(problems(outputSchema)).toEqual([]);
  });

  it('says what it does to the world', () => {
    const { annotations, title, description } = tools.get(name)!;
    expect(annotations).toEqual({
      title,
      readOnlyHint: expect.any(Boolean),
      destructiveHint: expect.any(Boolean),
      idempotentHint: expect.any(Boolean),
      openWorldHint: false,
    });
    expect(description!.length).toBeGreaterThan(100);
  });

  it('describes every parameter', () => {
    const { properties = {} } = tools.get(name)!.inputSchema;
    const bare = Object.entries(properties).filter(([, schema]) => !(schema as { description?: string }).description);
    expect(bare.map(([parameter]) => parameter)).toEqual([]);
  });
});

/** References, unions of nothing, objects that say nothing, keywords that some clients refuse; and what the SDK's validator says. */
function problems(schema: unknown): string[] {
  const found: string[] = [];
  const walk = (node: unknown, at: string) => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      const here = `${at}/${key}`;
      if (['$ref', '$defs', 'definitions', '$schema', 'propertyNames', 'allOf', 'not'].includes(key)) found.push(here);
      if (key === 'type' && Array.isArray(value)) found.push(here);
      if (['anyOf', 'oneOf', 'enum'].includes(key) && (!Array.isArray(value) || value.length === 0)) found.push(here);
      walk(value, here);
    }
  };
  walk(schema, '');
  try {
    new AjvJsonSchemaValidator().getValidator(schema as object);
  } catch (error) {
    found.push(String(error));
  }
  return found;
}
