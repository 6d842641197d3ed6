import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { expect } from 'vitest';

export interface Message {
  readonly jsonrpc: string;
  readonly id: number | null;
  readonly result?: { readonly isError?: boolean; readonly content?: { readonly text: string }[] };
  readonly error?: { readonly code: number };
}

/** A server's process, spoken to in bare lines over stdio. `initialize` is sent at once, with the id 0. */
export function speakTo(child: ChildProcessWithoutNullStreams) {
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  // A server may have ended before it read what was said last. What it has answered is what a test looks at; without a listener this process ends.
  child.stdin.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  /** Throws when a line of its stdout is no JSON. */
  const messages = () =>
    out
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Message);
  const found = (id: number) => messages().find((message) => message.id === id);
  const send = (message: object | string) =>
    child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bare', version: '1' } };
  send({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  return {
    child,
    exited,
    messages,
    send,
    stderr: () => err,
    call: (id: number, name: string, args: unknown) =>
      send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } }),
    async answer(id: number): Promise<Message> {
      await expect.poll(() => found(id), { timeout: 20_000 }).toBeDefined();
      return found(id)!;
    },
  };
}
