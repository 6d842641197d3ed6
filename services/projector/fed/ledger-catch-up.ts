import { randomUUID } from 'node:crypto';
import { setImmediate as breathe, setTimeout as sleep } from 'node:timers/promises';
import { isHindsightError } from '#contract/errors.js';
import type { Position } from '#ledger/ledger.js';
import type { GenerationId } from '#views/views.js';
import type { Track } from '../fold/fold-batch.js';
import {
  furthestBack,
  type ProjectorDeps,
  persistPassed,
  projectSlice,
  trackFurthestBack,
} from '../fold/project-batch.js';
import { tracksOf } from '../live-tracks.js';
import type { Projection } from '../projections/projection.js';
import { readAhead } from './read-ahead.js';
import type { SharedOpenings } from './share-openings.js';

/** Reads from the ledger what the feed does not bring. */
export interface LedgerCatchUp {
  /**
   * Resolves when every partition of a generation has passed a position, whichever process brought it there. What was done stays when
   * it is aborted.
   * @throws HindsightError checkpoint_moved when the generation is no more · unknown_event · what views, ledger and vault throw
   */
  bring(projection: Projection, id: GenerationId, target: Position, signal: AbortSignal): Promise<void>;
}

/** Events and their bytes per transaction: more would hold the projections that are at the head for longer than a reader should notice. */
const batch = { events: 500, bytes: 1024 * 1024 };
/** The same where no projection of this process is at the head: a database writes a bank's terms at once for less. */
const large = { events: 2_000, bytes: 2 * 1024 * 1024 };
/** Milliseconds after which another process goes on when this one was killed. */
const leaseMs = 5_000;
/** Milliseconds between looks at what another process, or a ledger that lies behind, has come to. */
const lookAgain = 250;
/** Milliseconds between writes of checkpoints that no event moved. */
const persistEvery = 1_000;
/** Milliseconds between lines in the log. */
const tellEvery = 5_000;

/** A generation under way. */
interface Rider {
  readonly id: GenerationId;
  readonly tracks: Track[];
  readonly target: Position;
  readonly signal: AbortSignal;
  readonly began: number;
  told: number;
  persisted: number;
  events: number;
  done(error?: unknown): void;
}

/**
 * Generations that are near each other are brought on together: what one reads and opens serves the others (`deps.openings`). Each
 * commits by itself, and one that fails leaves the others going.
 * @param all how many projections this process has
 */
export function createLedgerCatchUp(
  deps: ProjectorDeps & { readonly openings: SharedOpenings },
  all: number,
): LedgerCatchUp {
  const { ledger, views, log } = deps;
  const slices = readAhead(deps);
  const holder = randomUUID();
  const riders = new Set<Rider>();
  let driving = false;

  async function drive(): Promise<void> {
    if (driving) return;
    driving = true;
    try {
      while (riders.size) for (const rider of [...riders]) if (riders.has(rider)) await step(rider);
    } finally {
      driving = false;
    }
  }

  async function step(rider: Rider): Promise<void> {
    await breathe();
    if (rider.signal.aborted) return leave(rider, rider.signal.reason);
    const last = trackFurthestBack(rider.tracks);
    if (!last || (last.passed ?? '') >= rider.target) return leave(rider);
    const after = last.passed;
    const before = last.systemTime;
    const size = riders.size >= all ? large : batch;
    try {
      const { stored, to } = await slices.next(after, rider.target, size);
      const near = [...riders].filter(({ tracks }) => {
        const position = furthestBack(tracks) ?? '';
        return position >= (after ?? '') && position < to;
      });
      if (to < rider.target && near.length === riders.size) slices.ahead(to, rider.target, size);
      await Promise.all(
        near.map(async (each) => {
          try {
            await projectSlice(deps, each.tracks, { stored, to, times: { before } }, { strict: false });
            each.events += stored.length;
            await persist(each);
            tell(each);
          } catch (error) {
            leave(each, error);
          }
        }),
      );
    } catch (error) {
      leave(rider, error);
    }
  }

  function leave(rider: Rider, error?: unknown): void {
    riders.delete(rider);
    rider.done(error);
  }

  /** Partitions without events come along, so that whoever goes on does not begin where the quietest stood. */
  async function persist(rider: Rider): Promise<void> {
    if (performance.now() - rider.persisted < persistEvery) return;
    await persistPassed(views, rider.tracks);
    rider.persisted = performance.now();
  }

  function tell(rider: Rider): void {
    const now = performance.now();
    if (now - rider.told < tellEvery) return;
    rider.told = now;
    const rate = Math.round(rider.events / ((now - rider.began) / 1000));
    const position = furthestBack(rider.tracks);
    log.info(
      { ...rider.id, events: rider.events, rate, position, target: rider.target },
      'catching up from the ledger',
    );
  }

  async function ride(tracks: Track[], id: GenerationId, target: Position, signal: AbortSignal): Promise<void> {
    const began = performance.now();
    const events = await new Promise<number>((resolve, reject) => {
      const done = (error?: unknown) => (error === undefined ? resolve(rider.events) : reject(error));
      const rider: Rider = { id, tracks, target, signal, began, told: began, persisted: began, events: 0, done };
      riders.add(rider);
      void drive();
    });
    await persistPassed(views, tracks);
    const seconds = (performance.now() - began) / 1000;
    if (seconds > tellEvery / 1000) log.info({ ...id, events, seconds, target }, 'caught up from the ledger');
  }

  return {
    async bring(projection, id, target, signal) {
      const name = `catch up ${id.projection} ${id.generation}`;
      while (true) {
        signal.throwIfAborted();
        const tracks = (await tracksOf(views, projection, id)).filter(({ passed }) => (passed ?? '') < target);
        if (tracks.length === 0) return;
        // A node of the ledger that lies behind must not pass for its end.
        const isThere = ((await ledger.head()) ?? '') >= target;
        if (!isThere || !(await views.lease(name, holder, leaseMs))) {
          await sleep(lookAgain, undefined, { signal });
          continue;
        }
        const renewing = setInterval(() => void views.lease(name, holder, leaseMs).catch(() => false), leaseMs / 3);
        try {
          await ride(tracks, id, target, signal);
        } catch (error) {
          // Whoever follows the feed may have been faster in some partition.
          if (!isHindsightError(error, 'checkpoint_moved')) throw error;
        } finally {
          clearInterval(renewing);
          await views.release(name, holder).catch(() => undefined);
        }
      }
    },
  };
}
