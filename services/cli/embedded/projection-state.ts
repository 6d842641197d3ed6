import type { Ledger } from '#ledger/ledger.js';
import type { Projector } from '#projector/create-projector.js';
import type { ProjectionState } from '#query/query-deps.js';
import type { Views } from '#views/views.js';

/** Beyond this many events the exact lag says no more than that it is large, and counting takes time. */
const countedLag = 100_000;

/** How far the views in use lie behind the ledger, and what was set aside. */
export async function projectionState(ledger: Ledger, views: Views, projector: Projector): Promise<ProjectionState> {
  const active = (await views.generations()).filter((generation) => generation.active);
  const positions = active.map((generation) => generation.position ?? '').sort();
  let lagEvents = 0;
  const behind = ledger.readAll({ after: positions[0] || undefined, limit: countedLag });
  for await (const _event of behind) lagEvents++;
  const setAside = (await projector.deadLetters()).length;
  return { lagEvents, setAside, generation: Math.max(0, ...active.map((each) => each.generation)) };
}
