import { setTimeout as sleep } from 'node:timers/promises';

interface Progress {
  readonly state: string;
  readonly done: number;
  readonly of: number;
}

/** A server, or a client of one. */
type Asked = {
  call(tool: string, args: Record<string, unknown>): Promise<{ structured: Record<string, unknown>; text: string }>;
  log?(): string;
};

/** Resolves when all that the server's bank holds is found by its meaning. @throws Error with how far it has come */
export async function untilEmbedded(server: Asked, withinMs = 120_000): Promise<Progress> {
  // A server loads its model after an answer.
  await server.call('memory_search', { query: 'hello' });
  for (const until = Date.now() + withinMs; ; await sleep(100)) {
    const { structured, text } = await server.call('memory_stats', {});
    const vectors = structured.vectors as Progress | undefined;
    if (vectors?.state === 'ready' && vectors.done === vectors.of) return vectors;
    if (Date.now() > until)
      throw new Error(`not embedded: ${JSON.stringify(vectors)} ${text}\n${server.log?.() ?? ''}`);
  }
}
