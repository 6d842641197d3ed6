import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import type { Caller } from '#contract/caller.js';
import { type JsonSchema, listedSchema } from '#contract/input/listed-schema.js';
import { readInput } from '#contract/input/read-input.js';

/** One tool as its file describes it. */
export interface ToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject> {
  /** Also what libs/access knows its roles by. */
  readonly name: string;
  readonly title: string;
  /** What an agent chooses by: when to call it, and when not. */
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly input: Input;
  /** What is listed instead of `input`, where some of it is validated piece by piece in `call`. */
  readonly listedInput?: z.ZodObject;
  readonly output: Output;
  /** Rejects with a HindsightError when the input or the memory's state does not allow it. */
  call(input: z.output<Input>, caller: Caller): Promise<z.output<Output>>;
  /** The answer for a person. */
  render(output: z.output<Output>, input: z.output<Input>): string;
}

/** A tool with its types closed over, so that tools of all shapes stand in one list. */
export interface Tool {
  readonly name: string;
  /** As `tools/list` shows it. */
  listed(): {
    readonly name: string;
    readonly title: string;
    readonly description: string;
    readonly annotations: ToolAnnotations;
    readonly inputSchema: JsonSchema & { type: 'object' };
    readonly outputSchema: JsonSchema & { type: 'object' };
  };
  run(args: unknown, caller: Caller): Promise<CallToolResult>;
}

export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: ToolDefinition<Input, Output>,
): Tool {
  const { name, title, description, input, output } = definition;
  const annotations = { title, openWorldHint: false, ...definition.annotations };
  const { listedInput: listed = input } = definition;
  return {
    name,
    listed: () => ({
      name,
      title,
      description,
      annotations,
      inputSchema: listedSchema(listed, 'input'),
      outputSchema: listedSchema(output, 'output'),
    }),
    async run(args, caller) {
      const given = readInput(input, args ?? {}, { listed });
      // Parsing drops what the schema does not know: a field too many makes the SDK's client throw.
      const answer = output.parse(await definition.call(given, caller));
      return { content: [{ type: 'text', text: definition.render(answer, given) }], structuredContent: answer };
    },
  };
}
