import { expect, it } from 'vitest';
import { lineReader } from './line-reader.js';
import { readMessage } from './read-message.js';

const read = (text: string, maxBytes = 10_000) => {
  const found: ReturnType<typeof readMessage>[] = [];
  const reader = lineReader(maxBytes, (line) => found.push(readMessage(line, maxBytes)));
  reader.push(Buffer.from(`${text}\n`));
  return found[0];
};

it('reads a request', () =>
  expect(read('{"jsonrpc":"2.0","id":1,"method":"ping"}')).toEqual({
    message: { jsonrpc: '2.0', id: 1, method: 'ping' },
  }));

it.each([
  ['{"jsonrpc":', null, -32700],
  ['hello', null, -32700],
  ['[]', null, -32600],
  ['{"jsonrpc":"1.0","id":7,"method":"ping"}', 7, -32600],
  ['{"jsonrpc":"2.0","id":"a","method":5}', 'a', -32600],
])('answers %s under the id %j with %i', (text, id, code) =>
  expect(read(text)).toMatchObject({ refusal: { jsonrpc: '2.0', id, error: { code } } }),
);

const padding = 'x'.repeat(20_000);
it.each([
  [`{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"a":"${padding}"}}`, 12],
  [`{"method":"tools/call","params":{"a":"${padding}"},"jsonrpc":"2.0","id":"r-1"}`, 'r-1'],
  [`{"params":{"a":"${padding}"},"id":3,"method":"x","jsonrpc":"2.0"}`, null],
  [`{"params":{"a":"${padding}","id":3}}`, null],
])('answers a message that is too long under its id, where that is certain (%#)', (text, id) =>
  expect(read(text)).toMatchObject({
    refusal: { id, error: { message: expect.stringContaining('takes at most 10000') } },
  }),
);
