import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { isTraceparent } from '#events/traceparent.js';

/** What a `tools/call` asks for; the tool checks the arguments. */
export interface ToolCall {
  readonly name: string;
  readonly args: unknown;
  /** W3C trace context of the client, where it sent one that is well-formed. */
  readonly traceparent?: string;
}

/**
 * Reads the parameters of a `tools/call` as they came: the SDK's schema makes a copy of the arguments that lacks a member
 * named `__proto__`, and tells a wrong form as an internal error.
 * @throws McpError -32602
 */
export function readToolCall(params: unknown): ToolCall {
  if (typeof params !== 'object' || params === null)
    throw invalid(`params is ${kindOf(params)}, but takes an object with name and arguments.`);
  const { name, arguments: args, _meta: meta } = params as { name?: unknown; arguments?: unknown; _meta?: unknown };
  if (typeof name !== 'string') throw invalid(`name is ${kindOf(name)}, but takes the name of a tool, as text.`);
  const isObject = typeof args === 'object' && !Array.isArray(args);
  if (args !== undefined && !isObject)
    throw invalid(`arguments is ${kindOf(args)}, but takes an object with the parameters of ${name.slice(0, 100)}.`);
  const traceparent = (meta as { traceparent?: unknown } | null | undefined)?.traceparent;
  return { name, args: args ?? {}, ...(isTraceparent(traceparent) ? { traceparent } : {}) };
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return (
    { string: 'text', object: 'an object', boolean: 'true or false' }[typeof value as string] ?? `a ${typeof value}`
  );
}

function invalid(sentence: string): McpError {
  return new McpError(ErrorCode.InvalidParams, sentence);
}
