import { HindsightError } from '#contract/errors.js';
import { dumpDigest } from '#views/canonical-dump.js';
import { compareDumps } from '#views/compare-dumps.js';
import type { Checkpoint, GenerationId, Views } from '#views/views.js';
import type { Track } from './fold/fold-batch.js';
import { type ProjectorDeps, persistPassed, projectBatch } from './fold/project-batch.js';
import { isSame } from './live-tracks.js';
import type { ReplayedProjection } from './replay.js';

/** Events per transaction. */
const batch = 1_000;

/** A track of each generation, whatever its partition. */
export function oneOfEach(tracks: readonly Track[]): Track[] {
  return tracks.filter(({ partition }) => partition === 0);
}

export async function describe({ views }: ProjectorDeps, id: GenerationId): Promise<ReplayedProjection> {
  const { digest, rows } = await dumpDigest(views, id);
  return { ...id, rows: total(rows), digest };
}

/**
 * What was built beside what is in use: the new one is brought to exactly where the one in use was dumped, partition by partition, which need
 * not stand still.
 */
export async function compare(deps: ProjectorDeps, tracks: Track[]): Promise<ReplayedProjection[]> {
  const { views, log } = deps;
  const generations = await views.generations();
  const compared: ReplayedProjection[] = [];
  for (const { id, projection } of oneOfEach(tracks)) {
    const inUse = generations.find((each) => each.projection === id.projection && each.active)!;
    // Another replay has switched to it: held against itself nothing would differ.
    if (isSame(inUse, id))
      throw new HindsightError('checkpoint_moved', `Generation ${id.generation} is in use by now.`, { ...id });
    if (inUse.version !== projection.version) {
      compared.push(await describe(deps, id));
      continue;
    }
    const present = await views.dump(inUse);
    await buildExactly(deps, tracks, id, present.checkpoints);
    const { digests, rows, difference } = await compareDumps(views, present, id, projection.tables);
    const matches = difference === undefined;
    if (!matches) await insistOnPlace(views, tracks, id);
    if (!matches) log.warn({ ...id, ...digests, ...difference }, 'the rebuilt generation differs from the one in use');
    compared.push({ ...id, rows, digest: digests.rebuilt, matches, ...(difference ? { difference } : {}) });
  }
  return compared;
}

/** Brings each partition of a generation that is being built to a checkpoint of its own. */
async function buildExactly(
  deps: ProjectorDeps,
  tracks: readonly Track[],
  id: GenerationId,
  checkpoints: readonly Checkpoint[],
): Promise<void> {
  for (const track of tracks.filter((each) => isSame(each.id, id))) {
    const { position } = checkpoints[track.partition]!;
    while (position !== undefined && (track.passed ?? '') < position)
      await projectBatch(deps, [track], position, { limit: batch, strict: true });
    await persistPassed(deps.views, [track]);
  }
}

/** @throws HindsightError checkpoint_moved when another replay went on with the generation: what was looked at is of another moment */
export async function insistOnPlace(views: Views, tracks: readonly Track[], id: GenerationId): Promise<void> {
  const found = await views.checkpoints(id);
  const moved = tracks.find((track) => isSame(track.id, id) && found[track.partition]!.position !== track.persisted);
  if (moved) throw new HindsightError('checkpoint_moved', `Generation ${id.generation} was gone on with.`, { ...id });
}

export type Counts = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Rows by projection and table. */
export async function countsOf(views: Views, ids: readonly GenerationId[]): Promise<Counts> {
  const counts = new Map<string, ReadonlyMap<string, number>>();
  for (const id of ids) counts.set(id.projection, await views.countRows(id));
  return counts;
}

export function lostTable(ids: readonly GenerationId[], present: Counts, next: Counts): HindsightError | undefined {
  for (const { projection } of ids)
    for (const [table, count] of present.get(projection) ?? [])
      if (count > 0 && !next.get(projection)!.get(table))
        return new HindsightError(
          'internal',
          `The rebuilt generation of ${projection} has no rows in ${table}, the one in use has ${count}: it was not switched to.`,
        );
  return undefined;
}

export function total(rows: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const count of rows.values()) sum += count;
  return sum;
}
