import { randomUUID } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { type ErrorCode, errorCodes, HindsightError } from '#contract/errors.js';
import type { McpLog } from './log.js';

/** What a program reads of an error, in `_meta['hindsight-ledger/error']` of a result and in `data` of a JSON-RPC error. */
export interface ErrorFields {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** An unexpected error is logged under an id; only the id goes out, since a message or a stack may hold content. */
export function errorFields(error: unknown, log: McpLog, at: object): ErrorFields {
  if (error instanceof HindsightError) {
    const details = Object.keys(error.details).length > 0 ? { details: error.details } : {};
    return { code: error.code, message: error.message, hint: error.hint, ...details };
  }
  const id = randomUUID();
  log.error({ ...at, errorId: id, ...traceOf(error) }, 'unexpected error');
  const message = `Something went wrong that should not have; it is logged as ${id}.`;
  return { code: 'internal', message, hint: errorCodes.internal, details: { error_id: id } };
}

/** An error as the result of a tool call: the client shows it to the agent, which can then correct itself. */
export function errorResult(fields: ErrorFields): CallToolResult {
  return {
    isError: true,
    content: [{ type: 'text', text: `${fields.code}: ${fields.message} ${fields.hint}` }],
    _meta: { 'hindsight-ledger/error': fields },
  };
}

/** The kind of an error and where it was thrown, without its message, which may quote content. */
function traceOf(error: unknown): object {
  if (!(error instanceof Error)) return { thrown: typeof error };
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return { error: error.name, at: frames.slice(0, 8).map((line) => line.trim()) };
}
