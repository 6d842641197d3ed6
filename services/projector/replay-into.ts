import type { Position } from '#ledger/ledger.js';
import { dumpDigest } from '#views/canonical-dump.js';
import { furthestBack, type ProjectorDeps, persistPassed, projectBatch } from './fold/project-batch.js';
import { tracksOf } from './live-tracks.js';
import type { Projection } from './projections/projection.js';
import { type Replayed, type ReplayOptions, shareOf } from './replay.js';
import { chosen, insistOnPosition } from './replay-asked.js';

/** Events per transaction. */
const batch = 1_000;

/**
 * Builds the views of an earlier moment in a store of their own, to look at with any tool: `deps.views`, which is empty, or was left by a
 * run that was cancelled. What was erased since is not in it.
 * @throws HindsightError event_unreadable · unknown_event · invalid_input when `to` lies behind the ledger's end · disk_full …
 */
export async function replayInto(
  deps: ProjectorDeps,
  all: readonly Projection[],
  { projections: names, to, signal, onProgress }: ReplayOptions,
): Promise<Replayed> {
  const { ledger, views } = deps;
  const projections = chosen(all, names);
  const head = await ledger.head();
  if (to !== undefined) insistOnPosition(to, head);
  const target: Position | undefined = to ?? head;
  const began = performance.now();
  const seconds = (): number => (performance.now() - began) / 1000;
  const tracks = [];
  const built = [];
  for (const projection of projections) {
    const found = (await views.generations()).find((each) => each.projection === projection.name && each.active);
    const id = found ?? (await views.startGeneration(projection));
    built.push({ projection: id.projection, generation: id.generation });
    tracks.push(...(await tracksOf(views, projection, id)));
  }
  let events = 0;
  while (target !== undefined && (furthestBack(tracks) ?? '') < target) {
    if (signal?.aborted) return { status: 'cancelled', events, seconds: seconds(), projections: [] };
    events += await projectBatch(deps, tracks, target, { limit: batch, strict: true });
    const position = furthestBack(tracks);
    if (position === undefined) continue;
    onProgress?.({
      events,
      position,
      seconds: seconds(),
      rate: events / seconds(),
      share: shareOf(position, target),
    });
  }
  await persistPassed(views, tracks);
  const replayed = [];
  for (const id of built) {
    const { digest, rows } = await dumpDigest(views, id);
    replayed.push({ ...id, digest, rows: [...rows.values()].reduce((sum, count) => sum + count, 0) });
  }
  return { status: 'looked', events, seconds: seconds(), projections: replayed };
}
