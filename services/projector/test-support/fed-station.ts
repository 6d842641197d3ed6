import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from '#ledger/ledger.js';
import type { Vault } from '#sealing/vault.js';
import type { Views } from '#views/views.js';
import {
  createFedProjector,
  type FedProjector,
  type FedProjectorDeps,
  type FedProjectorOptions,
} from '../fed/create-fed-projector.js';
import type { Feed } from '../feed/feed.js';

/** A projector on a feed, as one process has it. */
export interface FedStation {
  readonly views: Views;
  readonly projector: FedProjector;
  /** Sentences that were logged, with the fields. */
  readonly logged: string[];
  readonly visible: [string, number][];
  stop(): Promise<void>;
}

export interface FedParts {
  readonly ledger: Ledger;
  readonly vault: Vault;
  readonly views: Views;
  readonly feed: Feed;
  readonly prepare?: FedProjectorDeps['prepare'];
}

/** Looks often, so that tests need not wait. */
const quick: FedProjectorOptions = { lookEvery: 20, seldom: 200, stallAfter: 400, measureEvery: 50 };

/** Runs at once; `stop` closes the views. */
export function fedStation(parts: FedParts, options: FedProjectorOptions = {}): FedStation {
  const logged: string[] = [];
  const visible: [string, number][] = [];
  const say = (fields: object, sentence: string) => logged.push(`${sentence} ${JSON.stringify(fields)}`);
  const projector = createFedProjector(
    {
      ...parts,
      log: { info: say, warn: say },
      onVisible: (projection, seconds) => visible.push([projection, seconds]),
    },
    { ...quick, ...options },
  );
  const stopping = new AbortController();
  const running = projector.run(stopping.signal);
  return {
    views: parts.views,
    projector,
    logged,
    visible,
    async stop() {
      stopping.abort();
      await running;
      await parts.views.close();
    },
  };
}

/** Waits until the generations in use have passed the ledger's head in every partition. */
export async function settled(
  views: Views,
  ledger: Ledger,
  names: readonly string[],
  patience = 20_000,
): Promise<void> {
  const head = (await ledger.head()) ?? '';
  const until = performance.now() + patience;
  while (true) {
    const inUse = (await views.generations()).filter(({ active, projection }) => active && names.includes(projection));
    if (inUse.length === names.length && inUse.every(({ position }) => (position ?? '') >= head)) return;
    if (performance.now() > until) throw new Error(`The views are behind ${head}: ${JSON.stringify(inUse)}.`);
    await sleep(10);
  }
}
