import { setTimeout as sleep } from 'node:timers/promises';
import type { BuiltServer } from './built-server.js';

interface Progress {
  readonly state: string;
  readonly done: number;
  readonly of: number;
}

/** Resolves when all that the server's bank holds is found by its meaning. @throws Error with how far it has come */
export async function untilEmbedded(server: BuiltServer, withinMs = 120_000): Promise<Progress> {
  // A server loads its model after an answer.
  await server.call('memory_search', { query: 'hello' });
  for (const until = Date.now() + withinMs; ; await sleep(100)) {
    const { structured, text } = await server.call('memory_stats', {});
    const vectors = structured.vectors as Progress | undefined;
    if (vectors?.state === 'ready' && vectors.done === vectors.of) return vectors;
    if (Date.now() > until) throw new Error(`not embedded: ${JSON.stringify(vectors)} ${text}\n${server.log()}`);
  }
}
