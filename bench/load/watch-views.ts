import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Position } from '#ledger/ledger.js';

/**
 * Sees from outside when what was written can be read: when the checkpoints of all projections in use have passed it. `recalls` is left
 * out: it takes no writes of memories, no answer rests on it, and its checkpoint is moved over them twice a second only.
 */
export interface ViewsWatch {
  /** Resolves with performance.now() at the look that found it, which is at most a pause and a look too late. */
  passed(partition: number, at: Position): Promise<number>;
  /** How many wait. */
  readonly waiting: number;
  close(): Promise<void>;
}

interface Waiting {
  readonly at: Position;
  seen(now: number): void;
}

const look = `
  SELECT partition, min(coalesce(position, '')) AS position
  FROM hindsight.hl_checkpoints JOIN hindsight.hl_generations USING (projection, generation)
  WHERE active AND projection <> 'recalls' GROUP BY partition`;

/** @param every milliseconds between looks */
export async function watchViews(url: string, every = 5): Promise<ViewsWatch> {
  const client = new pg.Client(url);
  await client.connect();
  const waiting = new Map<number, Waiting[]>();
  const closing = new AbortController();

  async function lookOnce(): Promise<void> {
    const { rows } = await client.query<{ partition: number; position: string }>({ name: 'look', text: look });
    const now = performance.now();
    for (const { partition, position } of rows) {
      const all = waiting.get(partition);
      if (!all?.length) continue;
      waiting.set(
        partition,
        all.filter((each) => each.at > position),
      );
      for (const each of all) if (each.at <= position) each.seen(now);
    }
  }

  const looking = (async () => {
    while (!closing.signal.aborted) {
      await lookOnce();
      await sleep(every, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  })();

  return {
    passed: (partition, at) =>
      new Promise((seen) => {
        const all = waiting.get(partition);
        if (all) all.push({ at, seen });
        else waiting.set(partition, [{ at, seen }]);
      }),
    get waiting() {
      return [...waiting.values()].reduce((sum, all) => sum + all.length, 0);
    },
    async close() {
      closing.abort();
      await looking;
      await client.end();
    },
  };
}
