import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StackClient } from '#test/stack/mcp-client.js';
import type { Stack } from '#test/stack/start-stack.js';

/** Writers that go on through anything: what fails is sent again with its idempotency key until it is acknowledged. */
export interface Load {
  readonly acknowledged: ReadonlySet<string>;
  /** Codes of errors that writers were answered with, and how often; `connection` where nothing answered. */
  readonly errors: ReadonlyMap<string, number>;
  /** Ends it: every write that was begun is brought to an acknowledgement. @throws Error when that takes longer than this */
  finish(withinMs?: number): Promise<void>;
}

export interface LoadOptions {
  readonly agents?: number;
  /** Milliseconds that each agent waits between two writes. */
  readonly pause?: number;
  /** In front of every text, so that the loads of several bad days can be told apart. */
  readonly name: string;
}

export function startLoad(stack: Stack, token: string, { agents = 4, pause = 10, name }: LoadOptions): Load {
  const acknowledged = new Set<string>();
  const errors = new Map<string, number>();
  const stopping = new AbortController();
  let deadline = Number.POSITIVE_INFINITY;

  async function work(agent: number): Promise<void> {
    let client: StackClient | undefined;
    const call = async (tool: string, args: Record<string, unknown>): Promise<string | undefined> => {
      try {
        client ??= await stack.client(token);
        const answer = await client.call(tool, args);
        return answer.isError ? (/\b([a-z]+_[a-z_]+)\b/.exec(answer.text)?.[1] ?? answer.text.slice(0, 60)) : undefined;
      } catch {
        await client?.close().catch(() => undefined);
        client = undefined;
        return 'connection';
      }
    };
    for (let write = 0; !stopping.signal.aborted; write++) {
      // With a word that no other of this load has: by the others alone a keyed text, whose key is searched as well, may rank before the
      // one that is asked for.
      const content = `${name}: agent ${agent} wrote item ${write}, called ${unheardName()}`;
      const args = {
        content,
        idempotency_key: randomUUID(),
        ...(write % 5 === 0 ? { key: `${name} slot ${agent}` } : {}),
      };
      for (let tries = 0; ; tries++) {
        const error = await call('memory_write', args);
        if (error === undefined) break;
        errors.set(error, (errors.get(error) ?? 0) + 1);
        if (Date.now() > deadline) throw new Error(`${content} is not acknowledged: ${error}`);
        await sleep(Math.min(50 * 2 ** tries, 1_000));
      }
      acknowledged.add(content);
      // Reads may fail while engines are away; they must not stop the writes.
      if (write % 7 === 3) await call('memory_search', { query: `${name} item ${write - 1}`, top_k: 3 });
      await sleep(pause);
    }
    await client?.close().catch(() => undefined);
  }

  const working = Promise.all(Array.from({ length: agents }, (_, agent) => work(agent)));
  working.catch(() => undefined);
  return {
    acknowledged,
    errors,
    async finish(withinMs = 120_000) {
      deadline = Date.now() + withinMs;
      stopping.abort();
      await working;
    },
  };
}

/** Of letters alone, so that it is one word to whoever searches for it. */
function unheardName(): string {
  return [...randomUUID().slice(0, 8)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 16))).join('');
}
