import { setImmediate as breathe, setTimeout as sleep } from 'node:timers/promises';
import { bankOfStream } from '#events/stream-name.js';
import type { Position, StoredEvent } from '#ledger/ledger.js';
import { erasedLater } from '#sealing/erased-later.js';
import { partitionOf } from '#views/partition.js';
import { isOpenedFor, isTaken, type ProjectedEvent } from '../projections/projection.js';
import type { Track } from './fold-batch.js';
import { type Preparing, prepareEvent, prepareSealed, refuseNewer } from './prepare-event.js';
import type { ProjectorDeps } from './project-batch.js';
import { isPoison, refuse } from './refuse.js';

/** Pauses between tries of an event that cannot be opened, in milliseconds: its key may be another process's newest. */
const retryPauses = [25, 100];
/** Opening gives the event loop its turn after this many milliseconds. */
const breathAfter = 8;

/**
 * What each event is to the tracks that look at it; those that cannot be projected are put among `refused`, by id.
 * @throws HindsightError unknown_event · event_unreadable (strict)
 */
export async function prepareAll(
  deps: ProjectorDeps,
  stored: readonly StoredEvent[],
  tracks: readonly Track[],
  refused: Map<string, unknown>,
  strict: boolean,
): Promise<Map<Position, ProjectedEvent>> {
  const prepared = new Map<Position, ProjectedEvent>();
  const byPartition = new Map<number, Track[]>();
  for (const track of tracks) byPartition.set(track.partition, [...(byPartition.get(track.partition) ?? []), track]);
  const partitions = tracks[0]?.partitions ?? 1;
  let lastBreath = performance.now();
  for (const event of stored) {
    const concerned = byPartition.get(partitionFor(event, partitions)) ?? [];
    if (!concerned.some((track) => isLooked(track, event))) continue;
    try {
      const opens = concerned.some((track) => isOpenedFor(track.projection, event.type) && isLooked(track, event));
      // What needs no key waits for nothing, and need not be tried again.
      const projected =
        opens || deps.prepare
          ? await prepareWithRetries(deps, event, { opens, erasedLater: erasedLater(deps.ledger) })
          : prepareNow(event);
      if (projected) prepared.set(event.position, projected);
    } catch (error) {
      await refuse(deps, event, error, strict);
      refused.set(event.id, error);
    }
    if (performance.now() - lastBreath < breathAfter) continue;
    await breathe();
    lastBreath = performance.now();
  }
  return prepared;
}

/**
 * Whether an event is prepared for a track. One that takes only some types leaves it to the others to notice what is wrong with the rest.
 */
function isLooked(track: Track, event: StoredEvent): boolean {
  if (!isAfter(track, event) || (track.setAside.size && track.setAside.has(event.stream))) return false;
  return track.projection.takes === undefined || isTaken(track.projection, event.type);
}

/** Whether an event of a track's partition is still to be applied. */
export function isAfter(track: Track, { position }: Pick<StoredEvent, 'position'>): boolean {
  return (track.passed ?? '') < position;
}

export function partitionFor({ stream }: Pick<StoredEvent, 'stream'>, partitions: number): number {
  return partitions === 1 ? 0 : partitionOf(bankOfStream(stream), partitions);
}

async function prepareWithRetries(
  { vault, prepare = prepareEvent }: ProjectorDeps,
  event: StoredEvent,
  how: Preparing,
): Promise<ProjectedEvent | undefined> {
  for (const pause of retryPauses) {
    try {
      return await prepare(vault, event, how);
    } catch (error) {
      refuseNewer(event);
      if (!isPoison(error)) throw error;
      await sleep(pause);
    }
  }
  return prepare(vault, event, how);
}

function prepareNow(event: StoredEvent): ProjectedEvent | undefined {
  try {
    return prepareSealed(event);
  } catch (error) {
    refuseNewer(event);
    throw error;
  }
}
