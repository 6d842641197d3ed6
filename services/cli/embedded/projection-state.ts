import { bankOfStream } from '#events/stream-name.js';
import type { Ledger } from '#ledger/ledger.js';
import type { Projector } from '#projector/create-projector.js';
import { mayChangeAnswers } from '#projector/fold/may-change-answers.js';
import type { ProjectionState } from '#query/query-deps.js';
import type { Views } from '#views/views.js';

/** Beyond this many events the exact lag says no more than that it is large, and counting takes time. */
const countedLag = 100_000;

/** How many events the views in use lie behind the ledger, as far as this process has looked, and what of a bank was set aside. */
export async function projectionState(
  ledger: Ledger,
  views: Views,
  projector: Projector,
  bank: string,
): Promise<ProjectionState> {
  const active = (await views.generations()).filter((generation) => generation.active);
  const positions = active.map((generation) => generation.position ?? '').sort();
  let lagEvents = 0;
  // The projector may have passed events that change no answer, which checkpoints are not moved for.
  const behind = ledger.readAll({ after: projector.position() ?? (positions[0] || undefined), limit: countedLag });
  for await (const event of behind) if (mayChangeAnswers(event)) lagEvents++;
  const setAside = (await projector.deadLetters()).filter(({ stream }) => bankOfStream(stream) === bank).length;
  return { lagEvents, setAside, generation: Math.max(0, ...active.map((each) => each.generation)) };
}
