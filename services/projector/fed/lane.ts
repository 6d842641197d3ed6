import { setTimeout as sleep } from 'node:timers/promises';
import { HindsightError, isHindsightError } from '#contract/errors.js';
import type { Position } from '#ledger/ledger.js';
import { type GenerationId, isReadable } from '#views/views.js';
import type { FedBatch, Feed } from '../feed/feed.js';
import { isReplaying } from '../fold/drop-abandoned.js';
import type { ProjectorDeps } from '../fold/project-batch.js';
import { isSame, leftovers } from '../live-tracks.js';
import type { Projection } from '../projections/projection.js';
import { type Followed, followGeneration } from './follow-generation.js';
import type { LedgerCatchUp } from './ledger-catch-up.js';
import { createStallWatch } from './stall-watch.js';
import { createTrouble } from './trouble.js';

export interface LaneDeps extends ProjectorDeps {
  readonly feed: Feed;
  readonly ledgerCatchUp: LedgerCatchUp;
  readonly onVisible: (projection: string, seconds: number) => void;
}

/** What stands between the feed and `apply`: a transport with its interceptors. */
export type Deliver = (projection: string, batch: FedBatch) => Promise<void>;

/**
 * starting: which generation it follows is not known yet · building: the ledger is read to make one · projecting ·
 * stopped: only a newer release can go on, see `trouble`.
 */
export type LaneState = 'starting' | 'building' | 'projecting' | 'stopped';

/** One projection: the generation in use, or being built, kept close to the ledger. */
export interface Lane {
  readonly projection: Projection;
  readonly state: LaneState;
  readonly generation: number | undefined;
  readonly trouble: { readonly code: string; readonly message: string } | undefined;
  /** Milliseconds since the epoch; undefined before anything was applied here. */
  readonly lastProgress: number | undefined;
  run(signal: AbortSignal, deliver: Deliver): Promise<void>;
  apply(batch: FedBatch): Promise<void>;
}

/** Milliseconds between looks after checkpoints to be moved and generations that were replaced. */
const lookEvery = 500;
/** Milliseconds between leaving a generation and following another. */
const rejoinAfter = 50;
/** Milliseconds before a projection that only a newer release can go on with is tried again. */
const seldom = 30_000;
/** Milliseconds after which a projection that was stopped has shown that it goes on: what stopped it comes first. */
const provenAfter = 10_000;
/** How often, and after how many milliseconds, it is looked again before views count as ahead of their ledger. */
const aheadLooks = { times: 5, every: 2_000 };

interface InHand {
  readonly id: GenerationId;
  readonly followed: Followed;
  /** Until it is left. */
  readonly until: AbortSignal;
  /** Ends following it, for this reason. */
  leave(reason?: unknown): void;
}

export interface LaneOptions {
  readonly lookEvery?: number;
  readonly seldom?: number;
  readonly stallAfter?: number;
}

export function createLane(deps: LaneDeps, projection: Projection, options: LaneOptions = {}): Lane {
  const { feed, ledger, ledgerCatchUp, log, now = Date.now, views } = deps;
  const { name } = projection;
  const applying = createTrouble(log, { projection: name }, 'a batch could not be projected');
  const following = createTrouble(log, { projection: name }, 'a projection could not be followed');
  const bringing = createTrouble(log, { projection: name }, 'what the feed does not bring could not be read');
  const stopping = createTrouble(log, { projection: name }, 'a projection is stopped');
  let state: 'starting' | 'building' | 'projecting' = 'starting';
  let inHand: InHand | undefined;
  let generation: number | undefined;
  let lastProgress: number | undefined;
  let pauseUntil = 0;

  /**
   * The generation in use when it is of this release's version, else its successor; awaited where nothing is in use that this release reads.
   * @throws HindsightError newer_format
   */
  async function choose(): Promise<{ id: GenerationId; isInUse: boolean; isAwaited: boolean }> {
    const inUse = (await views.generations()).find((each) => each.projection === name && each.active);
    if (inUse && inUse.version > projection.version)
      throw new HindsightError(
        'newer_format',
        `Version ${inUse.version} of the projection ${name} is in use, this release knows ${projection.version}: a newer release projects it.`,
        { projection: name, found: inUse.version, known: projection.version },
      );
    if (inUse?.version === projection.version)
      return { id: { projection: name, generation: inUse.generation }, isInUse: true, isAwaited: false };
    const id = await views.startGeneration(projection);
    const isInUse = (await views.generations()).some((each) => isSame(each, id) && each.active);
    return { id, isInUse, isAwaited: !(inUse && isReadable(projection, inUse)) };
  }

  async function follow(
    signal: AbortSignal,
    deliver: Deliver,
    before: GenerationId | undefined,
  ): Promise<GenerationId> {
    let stamp = await views.stamp();
    const chosen = await choose();
    const { id } = chosen;
    let { isInUse, isAwaited } = chosen;
    generation = id.generation;
    await startAnewIfAhead(id, signal);

    const leaving = new AbortController();
    const until = AbortSignal.any([signal, leaving.signal]);
    let closing: Promise<void> | undefined;
    const bring = (target: Position): Promise<void> => {
      closing ??= ledgerCatchUp.bring(projection, id, target, until).finally(() => {
        closing = undefined;
      });
      return closing;
    };
    let reason: unknown;
    const onVisible = (seconds: number) => isInUse && deps.onVisible(name, seconds);
    if (isInUse) await dropOlder();
    const isNew = (await views.checkpoints(id)).some(({ position }) => position === undefined);
    const head = await ledger.head();
    if (head !== undefined && (isNew || !isInUse || (before && !isSame(before, id)))) {
      state = 'building';
      await bring(head);
    }
    const followed = await followGeneration({ ...deps, bring, onVisible }, projection, id);
    state = isInUse ? 'projecting' : 'building';
    following.over();
    inHand = {
      id,
      followed,
      until,
      leave(why) {
        reason ??= why;
        leaving.abort();
      },
    };
    const joined = performance.now();
    let troubledAt: Position | undefined;
    const stall = createStallWatch({ ledger, views, id, after: options.stallAfter });
    const consuming = feed
      .consume(groupOf(id), (batch) => deliver(name, batch), until)
      .catch((error: unknown) => inHand?.leave(error));
    const fail = (error: unknown, trouble = following): void => {
      if (until.aborted) return;
      if (isFinal(error)) inHand?.leave(error);
      else trouble.met(error);
    };
    while (!until.aborted) {
      await sleep(options.lookEvery ?? lookEvery, undefined, { signal: until }).catch(() => undefined);
      if (until.aborted) break;
      try {
        await followed.persist();
        const stampNow = await views.stamp();
        if (stampNow !== stamp) {
          const present = await choose();
          if (!isSame(present.id, id) || (await followed.isRewound())) inHand.leave();
          ({ isInUse, isAwaited } = present);
          stamp = stampNow;
        }
        // Who replays builds it as well, and would begin anew after a switch: where what is in use can be read, that may wait for them.
        if (!isInUse && (isAwaited || !(await isReplaying(views))) && (await views.switchTo([id])))
          await views.drop(await leftovers(views, [projection]));
        state = isInUse ? 'projecting' : 'building';
        if (!applying.present && !bringing.present) troubledAt = undefined;
        else if (troubledAt === undefined) troubledAt = await ledger.head();
        else if (await stall.hasPassed(troubledAt)) {
          // Another process could do what this one could not; nothing of it comes here again.
          applying.over();
          bringing.over();
        }
        const missing = applying.present ? undefined : await stall.missing();
        if (missing !== undefined && !closing)
          bring(missing)
            .then(() => followed.reread())
            .then(bringing.over, (error: unknown) => fail(error, bringing));
        following.over();
        if (performance.now() - joined > provenAfter) stopping.over();
      } catch (error) {
        fail(error);
      }
    }
    await consuming;
    await closing?.catch(() => undefined);
    inHand = undefined;
    await followed.persist().catch(() => undefined);
    if (reason !== undefined) throw reason;
    return id;
  }

  /** What a switch left because its process ended. One of this version that is not in use may be a replay's. */
  async function dropOlder(): Promise<void> {
    const found = await leftovers(views, [projection], projection.version - 1);
    if (found.length) await views.drop(found);
  }

  /** Views that have come further than the ledger reaches were made from another copy of it: they are made anew. */
  async function startAnewIfAhead(id: GenerationId, signal: AbortSignal): Promise<void> {
    // A node that lies behind catches up meanwhile.
    for (let look = 1; ; look++) {
      const checkpoints = await views.checkpoints(id);
      const head = (await ledger.head()) ?? '';
      if (!checkpoints.some(({ position }) => (position ?? '') > head)) return;
      if (look === aheadLooks.times) {
        log.warn({ ...id, head }, 'the views are ahead of the ledger: rebuilding them from what it holds');
        await views.drop((await views.generations()).filter((each) => each.projection === name));
        throw new HindsightError(
          'checkpoint_moved',
          `The views of ${name} were ahead of the ledger and are made anew.`,
        );
      }
      await sleep(aheadLooks.every, undefined, { signal });
    }
  }

  return {
    projection,
    get state() {
      return stopping.present ? 'stopped' : state;
    },
    get generation() {
      return generation;
    },
    get trouble() {
      return stopping.present ?? applying.present ?? bringing.present ?? following.present;
    },
    get lastProgress() {
      return lastProgress;
    },
    async run(signal, deliver) {
      let before: GenerationId | undefined;
      while (!signal.aborted) {
        let pause = rejoinAfter;
        try {
          before = await follow(signal, deliver, before);
        } catch (error) {
          if (signal.aborted) break;
          if (isFinal(error)) {
            stopping.met(error);
            pause = (options.seldom ?? seldom) * (0.75 + Math.random() / 2);
          } else if (!isHindsightError(error, 'checkpoint_moved')) pause = following.met(error);
        }
        await sleep(pause, undefined, { signal }).catch(() => undefined);
      }
    },
    async apply(batch) {
      const present = inHand;
      if (!present) throw new HindsightError('ledger_busy', `${name} is not followed at this moment.`);
      const wait = pauseUntil - performance.now();
      if (wait > 0) await sleep(wait, undefined, { signal: present.until });
      try {
        await present.followed.apply(batch);
        lastProgress = now();
        applying.over();
        bringing.over();
      } catch (error) {
        if (isFinal(error) || isHindsightError(error, 'checkpoint_moved')) present.leave(error);
        else if (!isHindsightError(error, 'ledger_busy')) pauseUntil = performance.now() + applying.met(error);
        throw error;
      }
    },
  };
}

/** Each generation has a group of its own: what another has passed says nothing of this one. */
function groupOf({ projection, generation }: GenerationId): string {
  return `${projection}.g${generation}`;
}

/** Only a newer release can go on. */
function isFinal(error: unknown): boolean {
  return isHindsightError(error, 'unknown_event') || isHindsightError(error, 'newer_format');
}
