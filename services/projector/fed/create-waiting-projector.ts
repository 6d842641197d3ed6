import { setTimeout as sleep } from 'node:timers/promises';
import { HindsightError } from '#contract/errors.js';
import type { Position } from '#ledger/ledger.js';
import type { DeadLetter, Generation } from '#views/views.js';
import type { Projector } from '../create-projector.js';
import { prepareEvent } from '../fold/prepare-event.js';
import type { ProjectorDeps } from '../fold/project-batch.js';
import { allProjections } from '../projections/all-projections.js';
import type { Projection } from '../projections/projection.js';
import { replay } from '../replay.js';
import { createLedgerCatchUp } from './ledger-catch-up.js';
import { measureLag } from './measure-lag.js';
import { shareOpenings, sharersOf } from './share-openings.js';

export interface WaitingProjectorOptions {
  readonly projections?: readonly Projection[];
  /** Milliseconds that `catchUp` waits for the services. */
  readonly patience?: number;
  /** Milliseconds without progress after which a replay brings what is in use to the head by itself: no service may be running. */
  readonly stallAfter?: number;
}

const defaults = { patience: 10_000, stallAfter: 3_000 };
/** Milliseconds between looks at the checkpoints. */
const lookEvery = 50;

/**
 * The projector of a process that is none, beside services that project: it waits for them. A replay builds by itself, while they
 * go on; after the switch they follow the new generation.
 */
export function createWaitingProjector(deps: ProjectorDeps, options: WaitingProjectorOptions = {}): Projector {
  const { ledger, views } = deps;
  const { patience, stallAfter } = { ...defaults, ...options };
  const projections = options.projections ?? allProjections;
  let position: Position | undefined;

  const inUse = async (): Promise<Generation[]> =>
    (await views.generations()).filter(
      ({ projection, active }) => active && projections.some(({ name }) => name === projection),
    );

  /** Waits as long as `goesOn` says: it is told how far the one furthest back has come. */
  async function reach(
    target: Position,
    standing: () => Promise<readonly Generation[]>,
    goesOn: (last: Position) => boolean,
  ): Promise<boolean> {
    while (true) {
      const positions = (await standing()).map((each) => each.position ?? '').sort();
      const last = positions[0] ?? '';
      if (positions.length > 0 && last >= target) return true;
      if (!goesOn(last)) return false;
      await sleep(lookEvery);
    }
  }

  async function behind(): Promise<string> {
    const generations = await inUse();
    if (generations.length === 0) return 'no projection is in use yet';
    const checkpoints = await Promise.all(generations.map((id) => views.checkpoints(id)));
    const lags = await measureLag(ledger, checkpoints);
    return generations
      .map(({ projection }, index) => {
        const { events, isAtLeast } = lags[index]!;
        const partitions = events.flatMap((count, partition) => (count ? [`${count} in partition ${partition}`] : []));
        if (partitions.length === 0) return `${projection} is at the end`;
        return `${projection} lacks ${isAtLeast ? 'at least ' : ''}${partitions.join(', ')}`;
      })
      .join('; ');
  }

  /** The services bring what is in use to the head; where none does, this process does it. */
  async function bringInUse(signal: AbortSignal): Promise<void> {
    const head = await ledger.head();
    if (head === undefined) return;
    const openings = shareOpenings(deps.prepare ?? prepareEvent, sharersOf(projections));
    const catchUp = createLedgerCatchUp({ ...deps, openings, prepare: openings.prepare }, projections.length);
    await Promise.all(
      projections.map(async (projection) => {
        const find = async () =>
          (await inUse()).filter(
            ({ projection: name, version }) => name === projection.name && version === projection.version,
          );
        const [found] = await find();
        if (!found) return;
        let stood = { last: '', since: performance.now() };
        const reached = await reach(head, find, (last) => {
          const now = performance.now();
          if (last !== stood.last) stood = { last, since: now };
          return now - stood.since < stallAfter && !signal.aborted;
        });
        if (reached || signal.aborted) return;
        await catchUp.bring(projection, found, head, signal).catch((error: unknown) => {
          if (!signal.aborted) throw error;
        });
      }),
    );
  }

  return {
    async catchUp() {
      const target = await ledger.head();
      if (target === undefined) return;
      const until = performance.now() + patience;
      if (!(await reach(target, inUse, () => performance.now() < until)))
        throw new HindsightError(
          'views_behind',
          `After ${Math.round(patience / 100) / 10} s the read models have not come to the ledger's end: ${await behind()}.`,
          { target, waitedMs: patience },
        );
      position = target;
    },
    async background(signal) {
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    },
    replay(replayOptions = {}) {
      const signal = replayOptions.signal ?? new AbortController().signal;
      return replay(deps, projections, replayOptions, { catchUp: () => bringInUse(signal) });
    },
    position: () => position,
    async deadLetters() {
      const found = new Map<Position, DeadLetter>();
      for (const generation of await inUse())
        for (const letter of await views.deadLetters(generation)) found.set(letter.position, letter);
      return [...found.values()].sort((one, other) => (one.position < other.position ? -1 : 1));
    },
    close: async () => undefined,
  };
}
