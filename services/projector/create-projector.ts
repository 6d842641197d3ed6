import { randomUUID } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import { isHindsightError } from '#contract/errors.js';
import type { Position } from '#ledger/ledger.js';
import type { DeadLetter } from '#views/views.js';
import { runInBackground } from './background.js';
import { furthestBack, type ProjectorDeps, persistPassed, projectBatch } from './fold/project-batch.js';
import { isAhead, type LiveTracks, leftovers, readLiveTracks } from './live-tracks.js';
import { allProjections } from './projections/all-projections.js';
import type { Projection } from './projections/projection.js';
import { type Replayed, type ReplayOptions, replay } from './replay.js';
import { sliceLimit } from './slice-limit.js';

/** Events in, read models out. */
export interface Projector {
  /**
   * Projects what is missing up to the ledger's head as it is now; calls at the same time share one run. Costs a look at
   * the head and at the views' stamp when nothing is new.
   * @throws HindsightError unknown_event · newer_format · disk_full · not_writable · ledger_busy
   */
  catchUp(): Promise<void>;
  /** Catches up whenever appends pause, in slices of about 15 ms, until the signal aborts; leaves it to another process that is at it. */
  background(signal: AbortSignal): Promise<void>;
  /** Builds generations anew beside those in use, checks them, and switches. */
  replay(options?: ReplayOptions): Promise<Replayed>;
  /** How far this process has looked; undefined before the first run. Checkpoints may lie behind it by events that change no answer. */
  position(): Position | undefined;
  /** What was set aside, oldest first. */
  deadLetters(): Promise<DeadLetter[]>;
  close(): Promise<void>;
}

/** Events per transaction when a reader waits: docs/decisions/0009. */
const catchUpBatch = 500;

/**
 * Of the processes that share a store, the one with this lease projects in the background: when all eight did, they prepared the same
 * events eight times, and wrote 0.55 times as fast as one alone; with nobody projecting, 1.1 times (bench processes).
 */
const backgroundLease = 'project in the background';
/** Milliseconds after which another process goes on when the holder was killed. */
const leaseMs = 3_000;

export interface ProjectorOptions {
  readonly projections?: readonly Projection[];
  readonly batch?: number;
}

export function createProjector(deps: ProjectorDeps, options: ProjectorOptions = {}): Projector {
  const { ledger, views, log } = deps;
  const projections = options.projections ?? allProjections;
  const holder = randomUUID();
  let live: LiveTracks | undefined;
  let running: Promise<void> | undefined;

  const passed = (): Position | undefined => (live ? furthestBack(live.tracks) : undefined);

  async function hasPassed(target: Position | undefined): Promise<boolean> {
    return live !== undefined && live.stamp === (await views.stamp()) && (passed() ?? '') >= (target ?? '');
  }

  async function run(limit: () => { events: number; took: (ms: number) => void }): Promise<void> {
    while (true) {
      try {
        if (!live || live.stamp !== (await views.stamp())) live = await readLiveTracks(views, projections);
        const target = await ledger.head();
        if (isAhead(live.tracks, target)) {
          await startAnew(target);
          continue;
        }
        while (target !== undefined && (passed() ?? '') < target) {
          const { events, took } = limit();
          await projectBatch(deps, live.tracks, target, { limit: events, strict: false, onBlocked: took });
          // Requests that came meanwhile go before the next slice.
          if ((passed() ?? '') < target) await breathe();
        }
        if (live.successors.length === 0) return;
        if (await views.switchTo(live.successors)) await views.drop(await leftovers(views, projections));
        live = undefined;
      } catch (error) {
        live = undefined;
        // Another process was faster, or the file was replaced: what is there now is read again.
        if (!isHindsightError(error, 'checkpoint_moved')) throw error;
      }
    }
  }

  async function startAnew(target: Position | undefined): Promise<void> {
    log.warn({ head: target ?? null }, 'the views are ahead of the ledger: rebuilding them from what it holds');
    const names = new Set(projections.map(({ name }) => name));
    await views.drop((await views.generations()).filter(({ projection }) => names.has(projection)));
    live = undefined;
  }

  /** One run at a time; whoever comes meanwhile waits for it and looks again. */
  async function upTo(target: Position | undefined, limit: Parameters<typeof run>[0]): Promise<void> {
    while (!(await hasPassed(target))) {
      running ??= run(limit).finally(() => {
        running = undefined;
      });
      await running;
    }
  }

  async function catchUp(): Promise<void> {
    const batch = { events: options.batch ?? catchUpBatch, took: () => undefined };
    await upTo(await ledger.head(), () => batch);
  }

  views.refillWith(catchUp);

  return {
    catchUp,
    async background(signal) {
      await runInBackground(signal, {
        log,
        head: () => ledger.head(),
        hasPassed,
        isMine: () => views.lease(backgroundLease, holder, leaseMs),
        async project(target) {
          // What others projected meanwhile is read, and not prepared once more only to lose the commit.
          if (!running) live = undefined;
          const renewing = setInterval(
            () => void views.lease(backgroundLease, holder, leaseMs).catch(() => false),
            leaseMs / 3,
          );
          try {
            await upTo(target, sliceLimit());
          } finally {
            clearInterval(renewing);
          }
        },
      });
      await views.release(backgroundLease, holder).catch(() => undefined);
    },
    async replay(replayOptions = {}) {
      await catchUp();
      return replay(deps, projections, replayOptions, {
        catchUp: async () => {
          await catchUp();
          if (live) await persistPassed(views, live.tracks);
        },
      });
    },
    position: passed,
    async deadLetters() {
      const found = new Map<Position, DeadLetter>();
      for (const generation of await views.generations())
        if (generation.active)
          for (const letter of await views.deadLetters(generation)) found.set(letter.position, letter);
      return [...found.values()].sort((one, other) => (one.position < other.position ? -1 : 1));
    },
    async close() {
      await running?.catch(() => undefined);
      // Only spares the next process a look through events that changed nothing.
      if (live) await persistPassed(views, live.tracks).catch(() => undefined);
      live = undefined;
    },
  };
}
