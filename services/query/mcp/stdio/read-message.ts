import {
  ErrorCode,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import type { Line } from './line-reader.js';

/** A line that is no message, with what to answer. */
export interface Refusal {
  readonly jsonrpc: '2.0';
  readonly id: RequestId | null;
  readonly error: { readonly code: ErrorCode; readonly message: string };
}

/** A line as a message, or the answer that tells the client what was wrong with it: a line is never just dropped. */
export function readMessage(line: Line, maxBytes: number): { message: JSONRPCMessage } | { refusal: Refusal } {
  if (!('text' in line)) {
    const message = `too_large: The message has ${line.bytes} bytes; one message takes at most ${maxBytes}. Send less at once.`;
    return refuse(idAtTheEdge(line), ErrorCode.InvalidRequest, message);
  }
  let value: unknown;
  try {
    value = JSON.parse(line.text);
  } catch {
    return refuse(null, ErrorCode.ParseError, 'This line is no JSON: each message is one line of JSON-RPC 2.0.');
  }
  const read = JSONRPCMessageSchema.safeParse(value);
  if (read.success) return { message: read.data };
  return refuse(idOf(value), ErrorCode.InvalidRequest, 'This is no JSON-RPC 2.0 request, notification or response.');
}

function refuse(id: RequestId | null, code: ErrorCode, message: string): { refusal: Refusal } {
  return { refusal: { jsonrpc: '2.0', id, error: { code, message } } };
}

function idOf(value: unknown): RequestId | null {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** The id of a message that was too long to keep: clients write it first or last. */
function idAtTheEdge({ head, tail }: { head: string; tail: string }): RequestId | null {
  const id =
    /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+|"[^"\\]*")\s*,/.exec(head)?.[1] ??
    /\}\s*,\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+|"[^"\\]*")\s*\}\s*$/.exec(tail)?.[1];
  return id === undefined ? null : (JSON.parse(id) as RequestId);
}
