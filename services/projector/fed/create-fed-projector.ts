import { setTimeout as sleep } from 'node:timers/promises';
import { HindsightError } from '#contract/errors.js';
import type { DeadLetter, GenerationChange, GenerationId } from '#views/views.js';
import type { FedBatch, Feed } from '../feed/feed.js';
import { prepareEvent } from '../fold/prepare-event.js';
import type { ProjectorDeps } from '../fold/project-batch.js';
import { allProjections } from '../projections/all-projections.js';
import type { Projection } from '../projections/projection.js';
import { boundedLedger, boundedPrepare, boundedViews } from './bounded-waits.js';
import { joinedViews } from './join-commits.js';
import { createLane, type Deliver, type Lane, type LaneOptions, type LaneState } from './lane.js';
import { createLedgerCatchUp } from './ledger-catch-up.js';
import { measureLag } from './measure-lag.js';
import { shareOpenings, sharersOf } from './share-openings.js';

export interface FedProjectorDeps extends Omit<ProjectorDeps, 'onSetAside'> {
  readonly feed: Feed;
  /** Told of each event that the feed brought, once its rows can be read: seconds since it was recorded. */
  readonly onVisible?: (projection: string, seconds: number) => void;
}

export interface FedProjectorOptions extends LaneOptions {
  readonly projections?: readonly Projection[];
  /** Milliseconds between measurements of the lag. */
  readonly measureEvery?: number;
  /** Milliseconds without an answer of ledger, views or keys after which a wait is given up and tried anew. */
  readonly patience?: number;
}

/** How a projection stands, in plain numbers. Those of the lag and the dead letters are of all processes, some seconds old at most. */
export interface FedStatus {
  readonly projection: string;
  readonly state: LaneState;
  /** The one in use, or being built; undefined before it is known. */
  readonly generation: number | undefined;
  /** Why it stands still, or is not tried now. */
  readonly trouble: { readonly code: string; readonly message: string } | undefined;
  /** Events in the ledger that are not in the views, of those that change an answer; of many, at least so many. */
  readonly lagEvents: number;
  /** Seconds since the oldest of them was recorded. */
  readonly lagSeconds: number;
  /** Milliseconds since the epoch when this process last applied something of the feed. */
  readonly lastProgress: number | undefined;
  readonly deadLetters: number;
}

/** Projects what the feed brings; several processes at once share its partitions. */
export interface FedProjector {
  /**
   * Until the signal aborts; resolves when the groups are left and the checkpoints written. Never rejects: outages are waited out.
   * @param deliver a transport between the feed and the projector, whose handler of a projection calls `apply`
   */
  run(signal: AbortSignal, deliver?: Deliver): Promise<void>;
  /** What a transport hands over. @throws HindsightError when it must be brought again */
  apply(projection: string, batch: FedBatch): Promise<void>;
  status(): FedStatus[];
}

const measureEvery = 5_000;
/** Events counted for `lagEvents`: it is asked for every few seconds. */
const mostCounted = 5_000;

/** @throws HindsightError invalid_config when the feed and the views have not the same partitions */
export function createFedProjector(deps: FedProjectorDeps, options: FedProjectorOptions = {}): FedProjector {
  const { feed, log, now = Date.now } = deps;
  const ledger = boundedLedger(deps.ledger, options.patience);
  const views = boundedViews(deps.views, options.patience);
  if (feed.partitions !== views.partitions)
    throw new HindsightError(
      'invalid_config',
      `The feed has ${feed.partitions} partitions, the views have ${views.partitions}: both must be made with the same number.`,
      { feed: feed.partitions, views: views.partitions },
    );
  const projections = options.projections ?? allProjections;
  const openings = shareOpenings(
    boundedPrepare(deps.prepare ?? prepareEvent, options.patience),
    sharersOf(projections),
  );
  const shared = {
    ...deps,
    ledger,
    views,
    openings,
    prepare: openings.prepare,
    onSetAside: (change: GenerationChange) => tellOf(feed, change),
  };
  const ledgerCatchUp = createLedgerCatchUp(shared, projections.length);
  const following = joinedViews(views);
  const lanes = new Map<string, Lane>();
  const apply = async (projection: string, batch: FedBatch): Promise<void> => {
    const lane = lanes.get(projection);
    if (!lane) throw new HindsightError('internal', `There is no projection ${projection}.`, { projection });
    await lane.apply(batch);
  };
  for (const projection of projections)
    lanes.set(
      projection.name,
      createLane(
        { ...shared, views: following, feed, ledgerCatchUp, onVisible: deps.onVisible ?? (() => undefined) },
        projection,
        options,
      ),
    );
  const measured = new Map<string, { events: number; oldest: number | undefined; deadLetters: number }>();

  async function measure(): Promise<void> {
    const generations: GenerationId[] = [];
    for (const [projection, { generation }] of lanes)
      if (generation !== undefined) generations.push({ projection, generation });
    const checkpoints = await Promise.all(generations.map((id) => views.checkpoints(id)));
    const lags = await measureLag(ledger, checkpoints, mostCounted);
    for (const [index, id] of generations.entries()) {
      const { events, oldest } = lags[index]!;
      const deadLetters = (await views.deadLetters(id)).length;
      measured.set(id.projection, { events: events.reduce((sum, each) => sum + each, 0), oldest, deadLetters });
    }
  }

  async function keepMeasuring(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(options.measureEvery ?? measureEvery, undefined, { signal }).catch(() => undefined);
      // What is wrong is told by the lanes; the last figures stand until then.
      if (!signal.aborted) await measure().catch(() => undefined);
    }
  }

  return {
    async run(signal, deliver = apply) {
      log.info({ projections: [...lanes.keys()], partitions: feed.partitions }, 'projecting what the feed brings');
      await Promise.all([keepMeasuring(signal), ...[...lanes.values()].map((lane) => lane.run(signal, deliver))]);
    },
    apply,
    status: () =>
      [...lanes].map(([projection, { state, generation, trouble, lastProgress }]) => {
        const { events = 0, oldest, deadLetters = 0 } = measured.get(projection) ?? {};
        return {
          projection,
          state,
          generation,
          trouble,
          lagEvents: events,
          lagSeconds: oldest === undefined ? 0 : Math.max(0, now() - oldest) / 1000,
          lastProgress,
          deadLetters,
        };
      }),
  };
}

/** In the feed's topic first: what is only in the table nobody would hear of. */
async function tellOf(feed: Feed, { id, setAside }: GenerationChange): Promise<void> {
  for (const letter of setAside satisfies readonly DeadLetter[]) await feed.setAside({ ...letter, ...id });
}
