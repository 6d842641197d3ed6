import { bankOfStream } from '#events/stream-name.js';
import type { Ledger } from '#ledger/ledger.js';
import { type Lag, measureLag } from '#projector/fed/measure-lag.js';
import type { ProjectionState } from '#query/query-deps.js';
import type { Views } from '#views/views.js';

/** How the generation of a projection that is in use stands to the ledger, by partition. */
export interface ProjectionLag extends Lag {
  readonly projection: string;
  readonly generation: number;
}

/** Of all projections in use. Reads the ledger from where the one furthest back stands. */
export async function projectionLags(ledger: Ledger, views: Views): Promise<ProjectionLag[]> {
  const active = (await views.generations()).filter((generation) => generation.active);
  const lags = await measureLag(ledger, await Promise.all(active.map((id) => views.checkpoints(id))));
  return active.map(({ projection, generation }, index) => ({ projection, generation, ...lags[index]! }));
}

/** The same as a summary: what the projection furthest back lacks, and what of a bank was set aside. Another's is none of its business. */
export async function projectionState(ledger: Ledger, views: Views, bank: string): Promise<ProjectionState> {
  const lags = await projectionLags(ledger, views);
  const setAside = new Set<string>();
  for (const id of lags)
    for (const { position, stream } of await views.deadLetters(id))
      if (bankOfStream(stream) === bank) setAside.add(position);
  return {
    lagEvents: Math.max(0, ...lags.map(({ events }) => events.reduce((sum, each) => sum + each, 0))),
    setAside: setAside.size,
    generation: Math.max(0, ...lags.map(({ generation }) => generation)),
  };
}
