import { randomUUID } from 'node:crypto';
import type { Position } from '#ledger/ledger.js';
import type { DeadLetter } from '#views/views.js';
import { runInBackground } from './background.js';
import { type Bringing, createBringing } from './bring.js';
import { isReplaying } from './fold/drop-abandoned.js';
import type { ProjectorDeps } from './fold/project-batch.js';
import { readAside, readNeeded } from './live-tracks.js';
import { allProjections } from './projections/all-projections.js';
import type { Projection } from './projections/projection.js';
import { type Replayed, type ReplayOptions, replay } from './replay.js';
import { sliceLimit } from './slice-limit.js';

export interface CatchUpOptions {
  /** Also what no answer of a search rests on: what was served (`recalls`), and generations that are being built to replace one in use. */
  readonly everything?: boolean;
}

/** Events in, read models out. */
export interface Projector {
  /**
   * Projects what is missing up to the ledger's head as it is now; calls at the same time share one run. Costs a look at
   * the head and at the views' stamp when nothing is new.
   * @throws HindsightError unknown_event · newer_format · disk_full · not_writable · ledger_busy
   */
  catchUp(options?: CatchUpOptions): Promise<void>;
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

/**
 * Milliseconds that the background gives at once to what no answer rests on, before it looks after the rest again.
 */
const asideBudget = 500;

export interface ProjectorOptions {
  readonly projections?: readonly Projection[];
  readonly batch?: number;
}

export function createProjector(deps: ProjectorDeps, options: ProjectorOptions = {}): Projector {
  const { ledger, views, log } = deps;
  const projections = options.projections ?? allProjections;
  const holder = randomUUID();
  const needed: Bringing = createBringing(deps, projections, () => readNeeded(views, projections), startAnew);
  // Who has begun to replay since it was read has begun with the same generations.
  const maySwitch = async (): Promise<boolean> => !(await isReplaying(views));
  const aside = createBringing(deps, projections, () => readAside(views, projections), startAnew, maySwitch);

  async function startAnew(target: Position | undefined): Promise<void> {
    log.warn({ head: target ?? null }, 'the views are ahead of the ledger: rebuilding them from what it holds');
    const names = new Set(projections.map(({ name }) => name));
    await views.drop((await views.generations()).filter(({ projection }) => names.has(projection)));
  }

  async function catchUp({ everything = false }: CatchUpOptions = {}): Promise<void> {
    const batch = { events: options.batch ?? catchUpBatch, took: () => undefined };
    const head = await ledger.head();
    await needed.upTo(head, () => batch);
    if (everything) await aside.upTo(head, () => batch);
  }

  views.refillWith(() => catchUp());

  return {
    catchUp,
    async background(signal) {
      await runInBackground(signal, {
        log,
        head: () => ledger.head(),
        hasPassed: async (target) => (await needed.hasPassed(target)) && (await aside.hasPassed(target)),
        isMine: () => views.lease(backgroundLease, holder, leaseMs),
        async project(target) {
          // What others projected meanwhile is read, and not prepared once more only to lose the commit.
          for (const each of [needed, aside]) if (!each.isRunning()) each.forget();
          const renewing = setInterval(
            () => void views.lease(backgroundLease, holder, leaseMs).catch(() => false),
            leaseMs / 3,
          );
          try {
            await needed.upTo(target, sliceLimit());
            await aside.upTo(target, sliceLimit(), asideBudget);
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
          await catchUp({ everything: true });
          await needed.persist();
          await aside.persist();
        },
      }).finally(() => {
        // What was left to a replay that was cancelled is gone on with.
        if (!aside.isRunning()) aside.forget();
      });
    },
    position: needed.passed,
    async deadLetters() {
      const found = new Map<Position, DeadLetter>();
      for (const generation of await views.generations())
        if (generation.active)
          for (const letter of await views.deadLetters(generation)) found.set(letter.position, letter);
      return [...found.values()].sort((one, other) => (one.position < other.position ? -1 : 1));
    },
    async close() {
      await needed.close();
      await aside.close();
    },
  };
}
