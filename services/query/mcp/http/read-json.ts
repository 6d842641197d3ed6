import type { IncomingMessage } from 'node:http';
import { Refusal } from './refusal.js';

/**
 * The JSON body of a request.
 * @throws Refusal 413 for more than `mostBytes`, 415 for a compressed body, 400 for what is no JSON or was cut off
 */
export async function readJson(request: IncomingMessage, mostBytes: number): Promise<unknown> {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity')
    throw new Refusal(415, 'invalid_input', `The body is encoded as ${JSON.stringify(encoding.slice(0, 40))}.`, {
      hint: 'Send it uncompressed.',
    });
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) throw tooLarge(request, mostBytes);
  const body = await bytesOf(request, mostBytes);
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new Refusal(400, 'invalid_input', body.length === 0 ? 'The body is empty.' : 'The body is no JSON.', {
      hint: 'Send one JSON-RPC 2.0 message.',
      rpcCode: -32700,
    });
  }
}

async function bytesOf(request: IncomingMessage, mostBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > mostBytes) throw tooLarge(request, mostBytes);
      chunks.push(chunk);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
    throw new Refusal(400, 'invalid_input', `The client went away after ${bytes} bytes of its request.`);
  }
  return Buffer.concat(chunks);
}

/** The rest of the upload is read and dropped, since a client that is cut off in it would never see the answer. */
function tooLarge(request: IncomingMessage, mostBytes: number): Refusal {
  request.resume();
  return new Refusal(413, 'too_large', `The request is larger than ${mostBytes} bytes.`, {
    hint: 'Send less at once.',
    headers: { Connection: 'close' },
  });
}
