import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  ErrorCode,
  GetPromptRequestSchema,
  type GetPromptResult,
  ListPromptsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import type { Role } from '#contract/caller.js';
import { distilSession } from './distil-session.js';
import type { Prompt } from './prompt.js';
import { recallFirst } from './recall-first.js';

export function handlePrompts(server: Server, roles: readonly Role[]): void {
  const prompts = [recallFirst, distilSession].filter(({ needs }) => roles.includes(needs));
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: prompts.map(({ name, title, description, arguments: args }) => ({
      name,
      title,
      description,
      arguments: args.map((argument) => ({ ...argument })),
    })),
  }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    const prompt = prompts.find(({ name }) => name === params.name);
    if (!prompt)
      throw invalid(`There is no prompt ${params.name}; there are ${prompts.map(({ name }) => name).join(', ')}.`);
    return answer(prompt, params.arguments ?? {});
  });
}

function answer(prompt: Prompt, args: Record<string, string>): GetPromptResult {
  const lacking = prompt.arguments.filter(({ name, required }) => required && !args[name]?.trim());
  if (lacking.length > 0)
    throw invalid(
      `${prompt.name} needs ${lacking.map(({ name, description }) => `${name}: ${description}`).join(' ')}`,
    );
  const text = prompt.text(args);
  return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}

function invalid(message: string): McpError {
  return new McpError(ErrorCode.InvalidParams, message);
}
