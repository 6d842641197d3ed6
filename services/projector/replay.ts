import { randomUUID } from 'node:crypto';
import { HindsightError, isHindsightError } from '#contract/errors.js';
import type { Position } from '#ledger/ledger.js';
import { dumpDigest } from '#views/canonical-dump.js';
import { compareDumps, type Difference } from '#views/compare-dumps.js';
import type { Checkpoint, GenerationId } from '#views/views.js';
import { readAhead } from './fed/read-ahead.js';
import { shareOpenings } from './fed/share-openings.js';
import { replayLease, replayLeaseMs } from './fold/drop-abandoned.js';
import type { Track } from './fold/fold-batch.js';
import { prepareEvent } from './fold/prepare-event.js';
import {
  furthestBack,
  type ProjectorDeps,
  persistPassed,
  projectBatch,
  projectSlice,
  trackFurthestBack,
} from './fold/project-batch.js';
import { isSame, leftovers, tracksOf } from './live-tracks.js';
import type { Projection } from './projections/projection.js';

export interface ReplayOptions {
  /** Names; all by default. */
  readonly projections?: readonly string[];
  /** Build up to here only, to look at the digest: such a generation is dropped again, since views stand at the head. */
  readonly to?: Position;
  /** Compare every row with the generation in use; `only` switches to nothing, and drops what was built to compare with. */
  readonly check?: boolean | 'only';
  /** What was built so far stays, and the next replay goes on from there. */
  readonly signal?: AbortSignal;
  /** Events per transaction, where this process does the work: 1,000 by default. */
  readonly batch?: number;
  readonly onProgress?: (progress: ReplayProgress) => void;
}

export interface ReplayProgress {
  readonly events: number;
  readonly position: Position;
  readonly seconds: number;
  /** Events per second. */
  readonly rate: number;
  /** Of the way to where it goes, 0 to 1: an estimate for a bar; undefined where positions do not say. */
  readonly share: number | undefined;
}

/** Digits of a position that are computed with: a double holds so many exactly. */
const digits = 15;

/** How far a position is on the way to another: both are numbers in digits, whatever else they mean to their adapter. */
export function shareOf(position: Position, target: Position): number | undefined {
  const same = [...target].findIndex((digit) => digit !== '0');
  if (same < 0 || position.length !== target.length) return undefined;
  const [done, all] = [position, target].map((each) => Number(each.slice(same, same + digits)));
  return done! >= 0 && all! > 0 ? Math.min(done! / all!, 1) : undefined;
}

export interface ReplayedProjection {
  readonly projection: string;
  readonly generation: number;
  readonly rows: number;
  readonly digest?: string;
  /** Whether the digest is that of the generation in use at the same position; only with `check`. */
  readonly matches?: boolean;
  /** The first row that differs. */
  readonly difference?: Difference;
}

export interface Replayed {
  readonly status: 'switched' | 'looked' | 'checked' | 'cancelled';
  readonly events: number;
  readonly seconds: number;
  readonly projections: readonly ReplayedProjection[];
}

/** Events per transaction. */
const batch = 1_000;
/** Events and their bytes per transaction on a server: it writes a bank's terms at once for less. */
const large = { events: 2_000, bytes: 2 * 1024 * 1024 };
/** Milliseconds between writes of checkpoints that no event moved. */
const persistEvery = 1_000;
/**
 * Other processes go on projecting what is in use: the new one is brought to the ledger's head until it is ahead of that in every
 * partition at the moment of the switch, so often and for so many milliseconds.
 */
const attempts = 10;
const longestMs = 30_000;

/** @throws HindsightError event_unreadable at the first event that cannot be projected · unknown_event · invalid_input */
export async function replay(
  deps: ProjectorDeps,
  all: readonly Projection[],
  options: ReplayOptions,
  live: { catchUp(): Promise<void> },
): Promise<Replayed> {
  const { views, ledger } = deps;
  const openings = shareOpenings(deps.prepare ?? prepareEvent, 1);
  const building = { ...deps, openings, prepare: openings.prepare };
  const slices = readAhead(building);
  const projections = chosen(all, options.projections);
  const started = performance.now();
  let events = 0;
  const seconds = (): number => (performance.now() - started) / 1000;
  const outcome = (status: Replayed['status'], replayed: readonly ReplayedProjection[]): Replayed => ({
    status,
    events,
    seconds: seconds(),
    projections: replayed,
  });

  const holder = randomUUID();
  let leased = -Infinity;
  /** Of several who replay at once one holds it: that is enough to say that what is built is not abandoned. */
  async function holdLease(): Promise<void> {
    if (performance.now() - leased < replayLeaseMs.renewed) return;
    leased = performance.now();
    await views.lease(replayLease, holder, replayLeaseMs.held);
  }

  async function buildNext(tracks: readonly Track[], target: Position): Promise<number> {
    if (!views.onServer) return projectBatch(deps, tracks, target, { limit: options.batch ?? batch, strict: true });
    const { passed, systemTime } = trackFurthestBack(tracks)!;
    const { stored, to } = await slices.next(passed, target, large);
    // The events after these are opened while the server writes.
    if (to < target) slices.ahead(to, target, large);
    await projectSlice(building, tracks, { stored, to, times: { before: systemTime } }, { strict: true });
    return stored.length;
  }

  async function buildTo(tracks: Track[], target: Position | undefined): Promise<boolean> {
    let persisted = performance.now();
    while (target !== undefined && (furthestBack(tracks) ?? '') < target) {
      if (options.signal?.aborted) return false;
      await holdLease();
      try {
        events += await buildNext(tracks, target);
        // Partitions without events come along, so that whoever goes on does not begin where the quietest stood.
        if (performance.now() - persisted > persistEvery) {
          await persistPassed(views, tracks);
          persisted = performance.now();
        }
      } catch (error) {
        if (!isHindsightError(error, 'checkpoint_moved')) throw error;
        tracks.splice(0, tracks.length, ...(await buildingTracks(deps, projections, undefined)));
      }
      const position = furthestBack(tracks);
      if (position !== undefined)
        options.onProgress?.({
          events,
          position,
          seconds: seconds(),
          rate: events / seconds(),
          share: shareOf(position, target),
        });
    }
    await persistPassed(views, tracks);
    return true;
  }

  async function cancelled(): Promise<Replayed> {
    await views.release(replayLease, holder);
    return outcome('cancelled', []);
  }

  const head = await ledger.head();
  const { to } = options;
  if (to !== undefined && to > (head ?? ''))
    throw new HindsightError(
      'invalid_input',
      `to is ${JSON.stringify(to)}, which is no position up to the ledger's head ${head ?? '(it is empty)'}.`,
      { to, head },
    );
  const tracks = await buildingTracks(deps, projections, to);
  if (!(await buildTo(tracks, to ?? head))) return cancelled();
  if (to !== undefined) {
    const looked = await Promise.all(oneOfEach(tracks).map(({ id }) => describe(deps, id)));
    await views.drop(oneOfEach(tracks).map(({ id }) => id));
    return outcome('looked', looked);
  }
  await live.catchUp();
  if (options.signal?.aborted) return cancelled();
  const compared = await compare(deps, tracks, (options.check ?? false) !== false);
  if (options.check === 'only') {
    await views.drop(oneOfEach(tracks).map(({ id }) => id));
    return outcome('checked', compared);
  }
  const before = (await views.generations()).filter(({ active }) => active);
  const until = performance.now() + longestMs;
  for (let attempt = 1; attempt <= attempts || performance.now() < until; attempt++) {
    if (!(await buildTo(tracks, await ledger.head()))) return cancelled();
    if (!(await views.switchTo(oneOfEach(tracks).map(({ id }) => id)))) continue;
    // What was in use until now stays, until it is told to go or something is erased.
    const replaced = (each: GenerationId) => before.some((former) => isSame(former, each));
    const done = outcome('switched', compared);
    await views.drop((await leftovers(views, projections)).filter((each) => !replaced(each)));
    await views.release(replayLease, holder);
    return done;
  }
  throw new HindsightError(
    'ledger_busy',
    `What is in use grew faster than the new generation for ${Math.round(longestMs / 1000)} s; it stays, and the next replay goes on from it.`,
  );
}

/** A track of each generation, whatever its partition. */
function oneOfEach(tracks: readonly Track[]): Track[] {
  return tracks.filter(({ partition }) => partition === 0);
}

/** Projections by name; all by default. @throws HindsightError invalid_input */
export function chosen(all: readonly Projection[], names: readonly string[] | undefined): readonly Projection[] {
  const unknown = names?.find((name) => !all.some((each) => each.name === name));
  if (unknown !== undefined)
    throw new HindsightError(
      'invalid_input',
      `projection is ${JSON.stringify(unknown)}, the projections are ${all.map(({ name }) => name).join(', ')}.`,
    );
  return names ? all.filter(({ name }) => names.includes(name)) : all;
}

/** The generations being built: those that an interrupted replay left, as far as they do not go beyond `to`. */
async function buildingTracks(
  { views }: ProjectorDeps,
  projections: readonly Projection[],
  to: Position | undefined,
): Promise<Track[]> {
  const tracks: Track[] = [];
  for (const projection of projections) {
    let id = await views.startGeneration(projection);
    let generation = (await views.generations()).find((each) => isSame(each, id))!;
    if (to !== undefined && (generation.position ?? '') > to) {
      await views.drop([id]);
      id = await views.startGeneration(projection);
      generation = (await views.generations()).find((each) => isSame(each, id))!;
    }
    tracks.push(...(await tracksOf(views, projection, id)));
  }
  return tracks;
}

async function describe({ views }: ProjectorDeps, id: GenerationId): Promise<ReplayedProjection> {
  const { digest, rows } = await dumpDigest(views, id);
  return { ...id, rows: total(rows), digest };
}

/**
 * What was built beside what is in use. With `check`, the new one is brought to exactly where the one in use was dumped, partition by
 * partition: that one need not stand still.
 * @throws HindsightError internal when the new one lacks a whole table's rows
 */
async function compare(deps: ProjectorDeps, tracks: Track[], check: boolean): Promise<ReplayedProjection[]> {
  const { views, log } = deps;
  const generations = await views.generations();
  const compared: ReplayedProjection[] = [];
  for (const { id, projection } of oneOfEach(tracks)) {
    const inUse = generations.find((each) => each.projection === id.projection && each.active)!;
    if (!check) {
      compared.push({ ...id, rows: await plausibleRows(views, id, inUse) });
      continue;
    }
    if (inUse.version !== projection.version) {
      compared.push(await describe(deps, id));
      continue;
    }
    const present = await views.dump(inUse);
    await buildExactly(deps, tracks, id, present.checkpoints);
    const { digests, rows, difference } = await compareDumps(views, present, id, projection.tables);
    const matches = difference === undefined;
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

async function plausibleRows(views: ProjectorDeps['views'], id: GenerationId, inUse: GenerationId): Promise<number> {
  const [next, present] = [await views.countRows(id), await views.countRows(inUse)];
  const lost = [...present].find(([table, count]) => count > 0 && (next.get(table) ?? 0) === 0);
  if (lost)
    throw new HindsightError(
      'internal',
      `The rebuilt generation of ${id.projection} has no rows in ${lost[0]}, the one in use has ${lost[1]}: it was not switched to.`,
    );
  return total(next);
}

function total(rows: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const count of rows.values()) sum += count;
  return sum;
}
