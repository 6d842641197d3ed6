import { randomUUID } from 'node:crypto';
import { HindsightError, isHindsightError } from '#contract/errors.js';
import type { Position } from '#ledger/ledger.js';
import type { Difference } from '#views/compare-dumps.js';
import type { Generation, GenerationId } from '#views/views.js';
import { compare, countsOf, describe, insistOnPlace, lostTable, oneOfEach, total } from './compare-generations.js';
import { readAhead } from './fed/read-ahead.js';
import { shareOpenings } from './fed/share-openings.js';
import { holdReplay, type ReplayHold, replayLease, replayLeaseMs } from './fold/drop-abandoned.js';
import type { Track } from './fold/fold-batch.js';
import { postponedCommits } from './fold/postponed-commits.js';
import { prepareEvent } from './fold/prepare-event.js';
import {
  batchBytes,
  furthestBack,
  type ProjectorDeps,
  persistPassed,
  projectBatch,
  projectPrepared,
  projectSlice,
  trackFurthestBack,
} from './fold/project-batch.js';
import { isSame, leftovers, tracksOf } from './live-tracks.js';
import type { PreparedAhead } from './preparing/preparing.js';
import type { Projection } from './projections/projection.js';
import { chosen, insistOnPosition } from './replay-asked.js';

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
  const size = deps.views.onServer ? large : { events: options.batch ?? batch, bytes: batchBytes };
  const projections = chosen(all, options.projections);
  const ahead = deps.prepareAhead?.({ projections: projections.map(({ name }) => name), size });
  const holder = randomUUID();
  const held = holdReplay(deps.views, holder);
  try {
    return await rebuild(deps, projections, options, live, ahead, { ...held, holder });
  } finally {
    held.end();
    await ahead?.close();
  }
}

async function rebuild(
  deps: ProjectorDeps,
  projections: readonly Projection[],
  options: ReplayOptions,
  live: { catchUp(): Promise<void> },
  ahead: PreparedAhead | undefined,
  held: ReplayHold & { readonly holder: string },
): Promise<Replayed> {
  const { views, ledger } = deps;
  const openings = shareOpenings(deps.prepare ?? prepareEvent, 1);
  const mayWait = new Set(projections.filter((each) => !views.onServer && each.mayWait).map(({ name }) => name));
  const postponed = postponedCommits(views, (projection) => mayWait.has(projection));
  const folding = { ...deps, views: postponed.views };
  const building = { ...folding, openings, prepare: openings.prepare };
  const slices = readAhead(building);
  const started = performance.now();
  let events = 0;
  const seconds = (): number => (performance.now() - started) / 1000;
  const outcome = (status: Replayed['status'], replayed: readonly ReplayedProjection[]): Replayed => ({
    status,
    events,
    seconds: seconds(),
    projections: replayed,
  });

  async function buildNext(tracks: readonly Track[], target: Position): Promise<number> {
    const last = trackFurthestBack(tracks)!;
    const ready = await ahead?.next(last.passed, target);
    if (ready) {
      await projectPrepared(folding, tracks, ready, last.systemTime, { strict: true });
      return ready.stored.length;
    }
    if (!views.onServer) return projectBatch(folding, tracks, target, { limit: options.batch ?? batch, strict: true });
    const { passed, systemTime } = last;
    const { stored, to } = await slices.next(passed, target, large);
    // The events after these are opened while the server writes.
    if (to < target) slices.ahead(to, target, large);
    await projectSlice(building, tracks, { stored, to, times: { before: systemTime } }, { strict: true });
    return stored.length;
  }

  async function buildTo(tracks: Track[], target: Position | undefined): Promise<boolean> {
    let persisted = performance.now();
    while (target !== undefined && (furthestBack(tracks) ?? '') < target) {
      if (options.signal?.aborted) {
        await postponed.stop();
        return false;
      }
      await held.renew();
      try {
        events += await buildNext(tracks, target);
        // Partitions without events come along, so that whoever goes on does not begin where the quietest stood.
        if (performance.now() - persisted > persistEvery) {
          await persistPassed(postponed.views, tracks);
          persisted = performance.now();
        }
      } catch (error) {
        await afterMove(error, tracks);
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
    try {
      await persistPassed(postponed.views, tracks);
      await postponed.flush();
      return true;
    } catch (error) {
      await afterMove(error, tracks);
      return buildTo(tracks, target);
    }
  }

  async function afterMove(error: unknown, tracks: Track[]): Promise<void> {
    if (!isHindsightError(error, 'checkpoint_moved')) throw error;
    await beginAnew(tracks);
  }

  /** Another replay went on with what was being built, switched to it, or dropped it: there may be another one now. */
  async function beginAnew(tracks: Track[]): Promise<void> {
    postponed.forget();
    // Each would go on past where the other stops.
    if (to !== undefined) throw replaysElsewhere();
    tracks.splice(0, tracks.length, ...(await buildingTracks(deps, projections, to)));
  }

  /**
   * Who replays at the same time builds the same generations: they, or the ones in use, may go while this looks at them. Each time another
   * replay has come to its end, so this comes to its own.
   * @returns undefined when it was told to stop
   */
  async function whileTheyAreThere<T>(tracks: Track[], work: () => Promise<T>): Promise<T | undefined> {
    while (true) {
      const looked = [...oneOfEach(tracks).map(({ id }) => id), ...(await inUse())];
      try {
        return await work();
      } catch (error) {
        const there = await views.generations();
        const isGone = looked.some((id) => !there.some((each) => isSame(each, id)));
        if (!isGone && !isHindsightError(error, 'checkpoint_moved')) throw error;
      }
      await beginAnew(tracks);
      if (!(await buildTo(tracks, to ?? (await ledger.head())))) return undefined;
    }
  }

  /** Another replay may have switched to it meanwhile: then it stays. */
  async function dropBuilt(tracks: readonly Track[]): Promise<void> {
    const building = (await views.generations()).filter(({ active, former }) => !active && !former);
    await views.drop(building.filter((each) => oneOfEach(tracks).some(({ id }) => isSame(id, each))));
  }

  async function inUse(): Promise<Generation[]> {
    return (await views.generations()).filter(({ active }) => active);
  }

  /**
   * What is in use was counted at a moment up to which the new one is built before it is: what was written and asked meanwhile is in both.
   * It may lack a whole table only where an erasure came between, which is nowhere once the one in use has come to it as well.
   * @returns rows of the new ones; undefined when it was told to stop
   * @throws HindsightError internal when the new one lacks a whole table's rows
   */
  async function plausibleRows(tracks: Track[]): Promise<ReplayedProjection[] | undefined> {
    let lackedAt: Position | undefined;
    while (true) {
      const present = await countsOf(views, await inUse());
      const head = await ledger.head();
      if (!(await buildTo(tracks, head))) return undefined;
      const ids = oneOfEach(tracks).map(({ id }) => id);
      const next = await countsOf(views, ids);
      const lost = lostTable(ids, present, next);
      if (!lost) return ids.map((id) => ({ ...id, rows: total(next.get(id.projection)!) }));
      if (head === lackedAt) throw lost;
      lackedAt = head;
      await live.catchUp();
    }
  }

  async function cancelled(): Promise<Replayed> {
    await held.release();
    return outcome('cancelled', []);
  }

  const { to } = options;
  const head = await ledger.head();
  if (to !== undefined) insistOnPosition(to, head);
  // What goes beyond `to` is dropped, unless somebody is building it.
  if (to !== undefined && !(await views.lease(replayLease, held.holder, replayLeaseMs.held))) throw replaysElsewhere();
  // Before anything is begun: who projects in the background leaves it alone from now on.
  await held.renew();
  const tracks = await buildingTracks(deps, projections, to);
  if (!(await buildTo(tracks, to ?? head))) return cancelled();
  if (to !== undefined) {
    const looked = await whileTheyAreThere(tracks, async () => {
      const described = await Promise.all(oneOfEach(tracks).map(({ id }) => describe(deps, id)));
      for (const id of described) await insistOnPlace(views, tracks, id);
      return described;
    });
    if (!looked) return cancelled();
    await dropBuilt(tracks);
    await held.release();
    return outcome('looked', looked);
  }
  await live.catchUp();
  if (options.signal?.aborted) return cancelled();
  const compared = await whileTheyAreThere(tracks, () =>
    options.check ? compare(deps, tracks) : plausibleRows(tracks),
  );
  if (!compared) return cancelled();
  if (options.check === 'only') {
    await dropBuilt(tracks);
    await held.release();
    return outcome('checked', compared);
  }
  const before = await inUse();
  const until = performance.now() + longestMs;
  for (let attempt = 1; attempt <= attempts || performance.now() < until; attempt++) {
    if (!(await buildTo(tracks, await ledger.head()))) return cancelled();
    const ids = oneOfEach(tracks).map(({ id }) => id);
    if (!(await views.switchTo(ids))) {
      const there = await views.generations();
      // Another replay dropped it after it had switched.
      if (ids.some((id) => !there.some((each) => isSame(each, id)))) await beginAnew(tracks);
      continue;
    }
    const done = outcome('switched', builtAs(compared, ids));
    await views.drop(replacedBefore(await leftovers(views, projections), before, ids));
    await held.release();
    return done;
  }
  throw new HindsightError(
    'ledger_busy',
    `What is in use grew faster than the new generation for ${Math.round(longestMs / 1000)} s; it stays, and the next replay goes on from it.`,
  );
}

/** The generations being built: those that an interrupted replay left, as far as they do not go beyond `to`. */
async function buildingTracks(
  deps: ProjectorDeps,
  projections: readonly Projection[],
  to: Position | undefined,
): Promise<Track[]> {
  const tracks: Track[] = [];
  for (const projection of projections) tracks.push(...(await buildingTracksOf(deps, projection, to)));
  return tracks;
}

async function buildingTracksOf(
  { views }: ProjectorDeps,
  projection: Projection,
  to: Position | undefined,
): Promise<Track[]> {
  while (true) {
    const id = await views.startGeneration(projection);
    const generation = (await views.generations()).find((each) => isSame(each, id));
    if (to !== undefined && (generation?.position ?? '') > to) {
      await views.drop([id]);
      continue;
    }
    try {
      return await tracksOf(views, projection, id);
    } catch (error) {
      // Another replay dropped it in between.
      if (!isHindsightError(error, 'checkpoint_moved')) throw error;
    }
  }
}

function replaysElsewhere(): HindsightError {
  return new HindsightError(
    'ledger_busy',
    'Another replay builds the same generations: look at an earlier position when it has come to its end, or with --out beside it.',
  );
}

/**
 * What goes after a switch. What was in use until then stays, until it is told to go or something is erased: where another replay had switched
 * to the same generation, that is what it replaced; and what another one has begun to build since is its own.
 */
function replacedBefore(
  found: readonly GenerationId[],
  before: readonly GenerationId[],
  ids: readonly GenerationId[],
): GenerationId[] {
  return found.filter((each) => {
    const built = ids.find(({ projection }) => projection === each.projection)!;
    const replaced = before.find(({ projection }) => projection === each.projection);
    if (replaced && isSame(replaced, built)) return false;
    return each.generation < built.generation && !(replaced && isSame(replaced, each));
  });
}

/** Where a replay had to begin anew after it was compared, another generation than the compared one is in use. */
function builtAs(compared: readonly ReplayedProjection[], ids: readonly GenerationId[]): ReplayedProjection[] {
  return compared.map((each) => ({ ...each, ...ids.find(({ projection }) => projection === each.projection) }));
}
