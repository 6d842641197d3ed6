import { PassThrough } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import type { OwnedStdout } from './own-stdout.js';
import { createStdioTransport } from './stdio-transport.js';

/** A transport between a pipe and a client that reads only when told to. */
async function piped({ clogged = false } = {}) {
  const stdin = new PassThrough();
  const written: string[] = [];
  let drain = () => {};
  const stdout: OwnedStdout = {
    write: (text) => written.push(text) > 0 && !clogged,
    onDrain: (listener) => {
      drain = listener;
    },
    onError: () => {},
    flush: async () => {},
  };
  const transport = createStdioTransport(stdin, stdout);
  const read: JSONRPCMessage[] = [];
  transport.onmessage = (message) => read.push(message);
  await transport.start();
  const send = async (...messages: object[]) => {
    for (const message of messages) stdin.write(`${JSON.stringify(message)}\n`);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { stdin, transport, written, read, send, drain: () => drain() };
}

const request = (id: number) => ({ jsonrpc: '2.0' as const, id, method: 'ping' });
const answer = (id: number) => ({ jsonrpc: '2.0' as const, id, result: {} });

it('answers a line that is no message, and reads on', async () => {
  const { stdin, written, read, send } = await piped();
  stdin.write('no json\n');
  await send(request(1));
  expect(JSON.parse(written[0]!)).toMatchObject({ error: { code: -32700 } });
  expect(read).toHaveLength(1);
});

it('does not read from a client that does not read', async () => {
  const { transport, read, send, drain } = await piped({ clogged: true });
  await send(request(1));
  await transport.send(answer(1));
  await send(request(2));
  expect(read).toHaveLength(1);
  drain();
  await send();
  expect(read).toHaveLength(2);
});

it('reads no further while too many calls are in flight', async () => {
  const { stdin, transport, read, send } = await piped();
  for (let id = 0; id < 300; id++) await send(request(id));
  expect(read).toHaveLength(256);
  expect(stdin.isPaused()).toBe(true);
  for (let id = 0; id < 100; id++) await transport.send(answer(id));
  await send();
  expect(read).toHaveLength(300);
});

it('waits for what is in flight, and knows that a cancelled call gets no answer', async () => {
  const { transport, send } = await piped();
  await send(request(1), request(2));
  const all = transport.answered(10_000);
  await send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  await transport.send(answer(2));
  expect(await all).toBe(true);
});

it('does not wait for ever', async () => {
  const { transport, send } = await piped();
  await send(request(1));
  expect(await transport.answered(10)).toBe(false);
});

it('takes no more once it stopped reading', async () => {
  const { transport, read, send } = await piped();
  transport.stopReading();
  await send(request(1));
  expect(read).toEqual([]);
});
