import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AskedChat {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
    readonly response_format?: { readonly type: string };
  };
}

export interface ChatAnswer {
  readonly status?: number;
  /** What the model says. */
  readonly content?: string;
  readonly finishReason?: string;
  /** Instead of a completion. */
  readonly raw?: string;
  /** Milliseconds until it answers. */
  readonly after?: number;
}

/**
 * A server that speaks the chat completions of OpenAI's API as its documents have it (and vLLM, llama.cpp and Ollama after it), and says what a
 * test wants it to say. It stands for a language model, which cannot run here: what one finds in a text is not tested, only what becomes of it.
 */
export interface ChatServer extends AsyncDisposable {
  readonly url: string;
  readonly asked: readonly AskedChat[];
  answer: (asked: AskedChat) => ChatAnswer;
}

export async function startChatServer(answer: ChatServer['answer']): Promise<ChatServer> {
  const asked: AskedChat[] = [];
  const http = createServer((request, response) => void respond(request, response).catch(() => response.destroy()));
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const one = {
      path: request.url ?? '',
      authorization: request.headers.authorization,
      body: JSON.parse(text) as AskedChat['body'],
    };
    asked.push(one);
    const { status = 200, content = '', finishReason = 'stop', raw, after = 0 } = server.answer(one);
    if (after > 0) await new Promise((resolve) => setTimeout(resolve, after));
    const completion = {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1_780_000_000,
      model: one.body.model,
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: finishReason }],
      usage: { prompt_tokens: 120, completion_tokens: 30, total_tokens: 150 },
    };
    response.writeHead(status, { 'content-type': 'application/json' }).end(raw ?? JSON.stringify(completion));
  }
  await once(http.listen(0, '127.0.0.1'), 'listening');
  const server: ChatServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`,
    asked,
    answer,
    async [Symbol.asyncDispose]() {
      const closed = once(http, 'close');
      http.close();
      http.closeAllConnections();
      await closed;
    },
  };
  return server;
}
