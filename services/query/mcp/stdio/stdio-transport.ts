import type { Readable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { lineReader } from './line-reader.js';
import type { OwnedStdout } from './own-stdout.js';
import { readMessage } from './read-message.js';

export interface StdioTransport extends Transport {
  /** Takes no more requests; what is in flight is still answered. */
  stopReading(): void;
  /** Resolves when every request that was read is answered, or after this many milliseconds; false then. */
  answered(withinMs: number): Promise<boolean>;
}

/** Holds a batch of 500 memories of 64 KiB with room for JSON's escapes. */
const maxMessageBytes = 64 * 1024 * 1024;
/** Requests at once; more wait in the pipe, so that a client that never waits cannot fill our memory. */
const maxInFlight = 256;

/**
 * JSON-RPC over lines, as the SDK's own stdio transport, but a line that is no message is answered instead of dropped, a
 * long line does not end the connection, and a client that does not read is not read from either.
 * @param onAnswered told of each tool call that was answered
 */
export function createStdioTransport(stdin: Readable, stdout: OwnedStdout, onAnswered?: () => void): StdioTransport {
  /** By their methods. */
  const inFlight = new Map<RequestId, string>();
  const waiting = new Set<() => void>();
  let clogged = false;
  let stopped = false;

  const settle = (id: RequestId | undefined) => {
    const method = id === undefined ? undefined : inFlight.get(id);
    if (id === undefined || !inFlight.delete(id)) return;
    if (method === 'tools/call') onAnswered?.();
    if (inFlight.size === 0) for (const done of waiting) done();
    steer();
  };
  const steer = () => {
    if (stopped || clogged || inFlight.size >= maxInFlight) stdin.pause();
    else if (stdin.isPaused()) stdin.resume();
  };
  const write = (message: object) => {
    if (!stdout.write(`${JSON.stringify(message)}\n`)) clogged = true;
  };
  const take = (message: JSONRPCMessage) => {
    if ('method' in message && 'id' in message) inFlight.set(message.id, message.method);
    transport.onmessage?.(message);
    // A cancelled request gets no answer.
    if ('method' in message && message.method === 'notifications/cancelled')
      settle(message.params?.requestId as RequestId | undefined);
  };
  const lines = lineReader(maxMessageBytes, (line) => {
    const read = readMessage(line, maxMessageBytes);
    if ('message' in read) take(read.message);
    else write(read.refusal);
  });
  const onData = (chunk: Buffer) => {
    lines.push(chunk);
    steer();
  };

  const transport: StdioTransport = {
    async start() {
      stdout.onDrain(() => {
        clogged = false;
        steer();
      });
      stdin.on('data', onData);
      stdin.once('end', lines.end);
    },
    async send(message) {
      write(message);
      settle('id' in message && !('method' in message) ? message.id : undefined);
      steer();
    },
    stopReading() {
      stopped = true;
      stdin.off('data', onData);
      stdin.pause();
    },
    async answered(withinMs) {
      if (inFlight.size === 0) return true;
      return new Promise((resolve) => {
        const timer = setTimeout(() => resolve(false), withinMs);
        waiting.add(() => {
          clearTimeout(timer);
          resolve(true);
        });
      });
    },
    async close() {
      transport.stopReading();
      transport.onclose?.();
    },
  };
  return transport;
}
