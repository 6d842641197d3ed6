import type { Position } from '#ledger/ledger.js';
import { type Generation, type GenerationId, isReadable, type Views } from '#views/views.js';
import { isReplaying } from './fold/drop-abandoned.js';
import { createTrack, type Track } from './fold/fold-batch.js';
import type { Projection } from './projections/projection.js';

/** Generations that live projecting keeps at the ledger's head. */
export interface LiveTracks {
  readonly tracks: readonly Track[];
  /** Of a newer version than what is in use: to be switched to once they have come as far. */
  readonly successors: readonly GenerationId[];
  readonly stamp: string;
}

/**
 * What answers are read from: the generation in use, where this release can read it; else the one that takes its place, which is waited for.
 * @throws HindsightError newer_format when a newer release's generation is in use
 */
export function readNeeded(views: Views, projections: readonly Projection[]): Promise<LiveTracks> {
  return readTracks(views, projections, (projection, inUse) => {
    if (projection.takes) return undefined;
    return inUse && isReadable(projection, inUse) ? inUse : 'made';
  });
}

/**
 * What no answer waits for: projections that none rests on, and what is built beside an older generation that is read meanwhile. While
 * somebody replays they build it, and switch: two who build the same lose commits to each other, and who switches first has the other begin anew.
 */
export function readAside(views: Views, projections: readonly Projection[]): Promise<LiveTracks> {
  let replaying: Promise<boolean> | undefined;
  return readTracks(views, projections, async (projection, inUse) => {
    if (inUse?.version === projection.version) return projection.takes ? inUse : undefined;
    if (!projection.takes && !(inUse && isReadable(projection, inUse))) return undefined;
    if (!inUse) return 'made';
    replaying ??= isReplaying(views);
    return (await replaying) ? undefined : 'made';
  });
}

type Chosen = Generation | 'made' | undefined;

/** @param choose the generation to follow, one that is to be made or gone on with, or none */
async function readTracks(
  views: Views,
  projections: readonly Projection[],
  choose: (projection: Projection, inUse: Generation | undefined) => Chosen | Promise<Chosen>,
): Promise<LiveTracks> {
  const stamp = await views.stamp();
  let generations = await views.generations();
  const successors: GenerationId[] = [];
  const tracks: Track[] = [];
  for (const projection of projections) {
    const inUse = generations.find((each) => each.projection === projection.name && each.active);
    let chosen = await choose(projection, inUse);
    if (chosen === undefined) continue;
    if (chosen === 'made') {
      const id = await views.startGeneration(projection);
      generations = await views.generations();
      chosen = generations.find((each) => isSame(each, id))!;
      if (!chosen.active) successors.push(id);
    }
    tracks.push(...(await tracksOf(views, projection, chosen)));
  }
  // While a successor is built its tracks are those of the moment; a switch by somebody else changes the stamp.
  return { tracks, successors, stamp: stamp !== (await views.stamp()) ? '' : stamp };
}

/** One for each partition. */
export async function tracksOf(views: Views, projection: Projection, generation: GenerationId): Promise<Track[]> {
  const id = { projection: generation.projection, generation: generation.generation };
  const { partitions } = views;
  const setAside = (await views.deadLetters(id)).map(({ stream }) => stream);
  const checkpoints = await views.checkpoints(id);
  return checkpoints.map((at, partition) => createTrack(projection, id, at, setAside, { partition, partitions }));
}

export function isSame(one: GenerationId, other: GenerationId): boolean {
  return one.projection === other.projection && one.generation === other.generation;
}

/**
 * Generations of these projections that are not in use, of today's version at most; those of a switch that were in use before among them.
 * @param upTo another version to stop at
 */
export async function leftovers(
  views: Views,
  projections: readonly Projection[],
  upTo = Infinity,
): Promise<GenerationId[]> {
  const versions = new Map(projections.map(({ name, version }) => [name, Math.min(version, upTo)]));
  return (await views.generations()).filter((each) => {
    const version = versions.get(each.projection);
    return version !== undefined && !each.active && each.version <= version;
  });
}

/** Whether the views have come further than the ledger reaches: it is an older copy than the one they were made from. */
export function isAhead(tracks: readonly Track[], head: Position | undefined): boolean {
  return tracks.some(({ persisted }) => persisted !== undefined && persisted > (head ?? ''));
}
