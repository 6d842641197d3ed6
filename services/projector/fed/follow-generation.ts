import { setTimeout as sleep } from 'node:timers/promises';
import { HindsightError, isHindsightError } from '#contract/errors.js';
import { catalogue, isEventType } from '#events/catalogue.js';
import type { Position } from '#ledger/ledger.js';
import type { GenerationId } from '#views/views.js';
import type { FedBatch } from '../feed/feed.js';
import type { Track } from '../fold/fold-batch.js';
import { type ProjectorDeps, persistPassed, projectSlice } from '../fold/project-batch.js';
import { tracksOf } from '../live-tracks.js';
import type { Projection } from '../projections/projection.js';
import { createPlaces, createTurns } from './turns.js';

export interface FollowDeps extends ProjectorDeps {
  /** Reads from the ledger up to a position; resolves when every partition has passed it. */
  readonly bring: (target: Position) => Promise<void>;
  /** Told of each event that the feed brought, once its rows can be read: seconds since it was recorded. */
  readonly onVisible: (seconds: number) => void;
}

/** One generation, kept at the feed's end in whatever partitions come to this process. */
export interface Followed {
  /** @throws HindsightError unknown_event · ledger_busy while a gap is being closed · checkpoint_moved when the generation is no more · … */
  apply(batch: FedBatch): Promise<void>;
  /** Moves the checkpoints over what changed no answer, of partitions that nothing is being applied to. */
  persist(): Promise<void>;
  /** Looks how far the store has come: something else has brought it there. */
  reread(): Promise<void>;
  /** Whether the store stands before what this process knows it has stood at: it was replaced, or put back. */
  isRewound(): Promise<boolean>;
}

/** Milliseconds that a batch waits for its gap to be closed; then it comes again, so that a group that changes hands is not held up. */
const gapPatience = 3_000;
/** Events that are applied at the same moment, of all partitions, each counted once for so many bytes: what is drawn from them is some twenty times as large. */
const atOnce = 1_000;
const bytesOfOne = 2_048;
/** Numbers of banks kept per partition. */
const keptBanks = 10_000;

export async function followGeneration(deps: FollowDeps, projection: Projection, id: GenerationId): Promise<Followed> {
  const { views, now = Date.now } = deps;
  const tracks = await tracksOf(views, projection, id);
  const turns = createTurns();
  const places = createPlaces(atOnce);

  async function reread(partition: number): Promise<Track> {
    const track = (await tracksOf(views, projection, id))[partition]!;
    tracks[partition] = track;
    return track;
  }

  async function applyNow(batch: FedBatch): Promise<void> {
    let track = tracks[batch.partition]!;
    while ((track.passed ?? '') < batch.to) {
      if (batch.after !== undefined && (track.passed ?? '') < batch.after) {
        await closeGap(batch);
        track = tracks[batch.partition]!;
        continue;
      }
      const from = track.passed ?? '';
      try {
        await places.take(() => projectSlice(deps, [track], sliceOf(batch), { strict: false }), sizeOf(batch));
      } catch (error) {
        track.hand.discard();
        if (!isHindsightError(error, 'checkpoint_moved')) throw error;
        // Another process was faster, as it happens when a partition changes hands.
        track = await reread(batch.partition);
        continue;
      }
      tellVisible(batch, from, track);
      if (track.numbers.size > keptBanks) track.numbers.clear();
    }
  }

  async function closeGap({ partition, after = '' }: FedBatch): Promise<void> {
    const isClosed = async () => ((await reread(partition)).passed ?? '') >= after;
    if (await isClosed()) return;
    const waited = new AbortController();
    const patience = sleep(gapPatience, undefined, { signal: waited.signal }).catch(() => undefined);
    await Promise.race([deps.bring(after), patience]).finally(() => waited.abort());
    if (await isClosed()) return;
    throw new HindsightError(
      'ledger_busy',
      `Partition ${partition} of ${id.projection} lacks what is before ${after}: it is being read from the ledger.`,
      { ...id, partition, after },
    );
  }

  function tellVisible(batch: FedBatch, from: Position, track: Track): void {
    const at = now();
    for (const { event, systemTime } of batch.events) {
      if (event.position <= from || track.setAside.has(event.stream)) continue;
      if (!isEventType(event.type) || !catalogue[event.type].changesAnswers) continue;
      deps.onVisible(Math.max(0, at - Date.parse(systemTime)) / 1000);
    }
  }

  return {
    apply: (batch) => turns.take([batch.partition], () => applyNow(batch)),
    async persist() {
      const behind = tracks.filter(
        ({ partition, passed, persisted }) => passed !== persisted && turns.isFree(partition),
      );
      if (behind.length === 0) return;
      const partitions = behind.map(({ partition }) => partition);
      await turns.take(partitions, async () => {
        try {
          await persistPassed(views, behind);
        } catch (error) {
          if (!isHindsightError(error, 'checkpoint_moved')) throw error;
          for (const partition of partitions) await reread(partition);
        }
      });
    },
    async reread() {
      const partitions = tracks.map(({ partition }) => partition).filter((partition) => turns.isFree(partition));
      await turns.take(partitions, async () => {
        const found = await tracksOf(views, projection, id);
        for (const partition of partitions) tracks[partition] = found[partition]!;
      });
    },
    async isRewound() {
      const known = tracks.map(({ persisted }) => persisted ?? '');
      const checkpoints = await views.checkpoints(id);
      return known.some((position, partition) => position > (checkpoints[partition]?.position ?? ''));
    },
  };
}

function sizeOf({ events }: FedBatch): number {
  return events.reduce((sum, { event }) => sum + Math.max(1, Math.ceil(event.bytes.length / bytesOfOne)), 0);
}

function sliceOf({ events, to, systemTime }: FedBatch): Parameters<typeof projectSlice>[2] {
  const times = new Map(events.map((each) => [each.event.position, each.systemTime]));
  return {
    stored: events.map(({ event }) => event),
    to,
    times: { at: (position) => times.get(position) ?? systemTime, end: systemTime },
  };
}
