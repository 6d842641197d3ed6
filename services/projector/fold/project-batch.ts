import type { Ledger, Position, StoredEvent } from '#ledger/ledger.js';
import type { Vault } from '#sealing/vault.js';
import { isPurging } from '#views/purge.js';
import type { DeadLetter, GenerationChange, Views } from '#views/views.js';
import type { Preparation, PreparedAhead } from '../preparing/preparing.js';
import { isTaken, type ProjectedEvent } from '../projections/projection.js';
import { dropAbandoned } from './drop-abandoned.js';
import { ApplyError, foldBatch, settle, type Track } from './fold-batch.js';
import { mayChangeAnswers } from './may-change-answers.js';
import { isAfter, partitionFor, prepareAll } from './prepare-all.js';
import type { prepareEvent } from './prepare-event.js';
import { reasonOf, refuse } from './refuse.js';
import { runningTimes, type SystemTimes, systemTimesOf } from './system-times.js';

/** What a projector logs: ids, never content. A pino logger is one. */
export interface ProjectorLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface ProjectorDeps {
  readonly ledger: Ledger;
  readonly views: Views;
  readonly vault: Vault;
  readonly log: ProjectorLog;
  /** Opens an event; `prepareEvent` by default. Where several share what was opened, it need not be opened by each. */
  readonly prepare?: typeof prepareEvent;
  /** Prepares the events of a long rebuild in another thread; without it, this one does. */
  readonly prepareAhead?: ((preparation: Preparation) => PreparedAhead) | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Called with an event whose stored bytes are not those that were hashed. */
  readonly markDamaged?: (damage: { what: string; position: Position }) => void;
  /** Told of events before they are set aside, and again when that has to be repeated. Nothing is set aside where it fails. */
  readonly onSetAside?: (change: GenerationChange) => Promise<void>;
  /** Told of each commit that changed rows: of what it took in, in which projections. */
  readonly onCommitted?: ((committed: Committed) => void) | undefined;
}

/** What of an event is looked at once it is prepared. */
export type SeenEvent = Pick<StoredEvent, 'position' | 'stream' | 'id' | 'type' | 'traceparent'>;

/** `took` in milliseconds since the epoch: from when opening the events began until their rows could be read. */
export interface Committed {
  readonly projections: readonly string[];
  readonly events: readonly SeenEvent[];
  readonly took: { readonly from: number; readonly to: number };
}

export interface BatchOptions {
  /** Events read at once. */
  readonly limit: number;
  /** A rebuild fails at the first event that cannot be projected; live, it is set aside. */
  readonly strict: boolean;
  /** Told how many milliseconds folding and committing held the event loop. */
  readonly onBlocked?: (ms: number) => void;
}

/** A batch ends after this much of stored events: what is drawn from them is some twenty times as large while it is folded. */
export const batchBytes = 1024 * 1024;
/** A checkpoint follows after this many events that changed no answer: what another process would look through again. */
const quietEvents = 2_000;

/** Events that follow each other, all of those that the tracks have not passed. */
export interface Slice {
  readonly stored: readonly StoredEvent[];
  /** Nothing up to here is missing. */
  readonly to: Position;
  /** What system time it was before the first of them; or the times of each, where events of other partitions lie between. */
  readonly times: { readonly before: string } | SystemTimes;
}

/** Events that follow each other, with all that projections draw from them. */
export interface PreparedSlice extends Pick<Slice, 'to'> {
  readonly stored: readonly SeenEvent[];
  readonly prepared: ReadonlyMap<Position, ProjectedEvent>;
  /** When each was recorded, if it counts. */
  readonly times: readonly (string | undefined)[];
}

/**
 * Reads the next events up to `target` and commits what they mean for every track. Where none are left, the tracks have
 * passed `target`.
 * @param tracks of all partitions, or of one store's only one
 * @returns how many events were read
 * @throws HindsightError checkpoint_moved · unknown_event · event_unreadable (strict)
 */
export async function projectBatch(
  deps: ProjectorDeps,
  tracks: readonly Track[],
  target: Position,
  options: BatchOptions,
): Promise<number> {
  const last = trackFurthestBack(tracks);
  const { stored, to } = await readSlice(deps.ledger, last?.passed, target, options.limit);
  await projectSlice(deps, tracks, { stored, to, times: { before: last?.systemTime ?? '' } }, options);
  return stored.length;
}

/**
 * Commits what a slice means for every track, in one transaction.
 * @throws HindsightError checkpoint_moved · unknown_event · event_unreadable (strict)
 */
export async function projectSlice(
  deps: ProjectorDeps,
  tracks: readonly Track[],
  { stored, to, times }: Slice,
  options: Pick<BatchOptions, 'strict' | 'onBlocked'>,
): Promise<void> {
  const from = deps.onCommitted ? Date.now() : 0;
  const refused = new Map<string, unknown>();
  const prepared = await prepareAll(deps, stored, tracks, refused, options.strict);
  const systemTimes =
    'before' in times
      ? systemTimesOf(times.before, stored, (event) =>
          mayChangeAnswers(event) ? prepared.get(event.position)?.envelope.recordedAt : undefined,
        )
      : times;
  await commitBatch(deps, tracks, { stored, prepared, refused, to, systemTimes }, from, options);
}

/**
 * The same with events that were prepared before.
 * @param before the system time before the first of them
 * @throws HindsightError checkpoint_moved · event_unreadable (strict)
 */
export async function projectPrepared(
  deps: ProjectorDeps,
  tracks: readonly Track[],
  { stored, prepared, to, times }: PreparedSlice,
  before: string,
  options: Pick<BatchOptions, 'strict' | 'onBlocked'>,
): Promise<void> {
  const from = deps.onCommitted ? Date.now() : 0;
  const systemTimes = runningTimes(before, stored, times);
  await commitBatch(deps, tracks, { stored, prepared, refused: new Map(), to, systemTimes }, from, options);
}

/** @param from when opening began; milliseconds since the epoch */
async function commitBatch(
  deps: ProjectorDeps,
  tracks: readonly Track[],
  { stored, prepared, refused, to, systemTimes }: Batch,
  from: number,
  options: Pick<BatchOptions, 'strict' | 'onBlocked'>,
): Promise<void> {
  while (true) {
    const began = performance.now();
    try {
      const changes = await foldAll(deps, tracks, { stored, prepared, refused, to, systemTimes });
      if (deps.onSetAside) for (const { change } of changes) if (change.setAside.length) await deps.onSetAside(change);
      if (changes.length) await deps.views.commit(changes.map(({ change }) => change));
      for (const { track, change } of changes) settle(track, change);
      for (const track of tracks) if ((track.passed ?? '') < to) passOn(track, to, systemTimes.end);
      if (changes.length)
        deps.onCommitted?.({
          projections: changes.map(({ track }) => track.projection.name),
          events: stored.filter(({ position }) => prepared.has(position)),
          took: { from, to: Date.now() },
        });
      options.onBlocked?.(performance.now() - began);
      if (changes.some(({ change }) => isPurging(change))) await dropAbandoned(deps.views);
      return;
    } catch (error) {
      if (!(error instanceof ApplyError)) throw error;
      await refuse(deps, stored.find(({ position }) => position === error.projected.position)!, error, options.strict);
      refused.set(error.projected.envelope.id, error);
      for (const track of tracks) track.hand.discard();
    }
  }
}

function passOn(track: Track, to: Position, systemTime: string): void {
  track.passed = to;
  if (systemTime > track.systemTime) track.systemTime = systemTime;
}

/** Moves the checkpoints over events that changed no answer, so that nobody has to look through them again. */
export async function persistPassed(views: Views, tracks: readonly Track[]): Promise<void> {
  const behind = tracks.filter(({ passed, persisted }) => passed !== persisted);
  if (behind.length === 0) return;
  const changes = behind.map((track) => ({ track, change: emptyChange(track, track.passed!, track.systemTime) }));
  await views.commit(changes.map(({ change }) => change));
  for (const { track, change } of changes) settle(track, change);
}

export function furthestBack(tracks: readonly Track[]): Position | undefined {
  return trackFurthestBack(tracks)?.passed;
}

export function trackFurthestBack(tracks: readonly Track[]): Track | undefined {
  let last = tracks[0];
  for (const track of tracks) if ((track.passed ?? '') < (last?.passed ?? '')) last = track;
  return last;
}

/** The next events up to `target`, which the ledger has come to; as many as a batch may hold. */
export async function readSlice(
  ledger: Ledger,
  after: Position | undefined,
  target: Position,
  limit: number,
  mostBytes = batchBytes,
): Promise<Pick<Slice, 'stored' | 'to'>> {
  const stored: StoredEvent[] = [];
  let bytes = 0;
  for await (const event of ledger.readAll({ after, limit })) {
    if (event.position > target) break;
    stored.push(event);
    bytes += event.bytes.length;
    if (bytes >= mostBytes) return { stored, to: event.position };
  }
  return { stored, to: stored.length < limit ? target : stored.at(-1)!.position };
}

interface Batch {
  readonly stored: readonly SeenEvent[];
  readonly prepared: ReadonlyMap<Position, ProjectedEvent>;
  /** Events that cannot be projected, by id, and why. */
  readonly refused: Map<string, unknown>;
  readonly to: Position;
  readonly systemTimes: SystemTimes;
}

async function foldAll(
  { views, now = Date.now }: ProjectorDeps,
  tracks: readonly Track[],
  batch: Batch,
): Promise<{ track: Track; change: GenerationChange }[]> {
  const changes: { track: Track; change: GenerationChange }[] = [];
  const byPartition = partitioned(batch.stored, tracks[0]?.partitions ?? 1);
  for (const track of tracks) {
    const events: ProjectedEvent[] = [];
    const letters: DeadLetter[] = [];
    const setAside = new Set(track.setAside);
    let passed = 0;
    for (const stored of byPartition.get(track.partition) ?? []) {
      if (!isAfter(track, stored)) continue;
      passed++;
      const refusal = batch.refused.size ? batch.refused.get(stored.id) : undefined;
      if (refusal !== undefined || (setAside.size && setAside.has(stored.stream))) {
        setAside.add(stored.stream);
        const reason = refusal === undefined ? 'an earlier event of its stream was set aside' : reasonOf(refusal);
        letters.push(toLetter(stored, reason, new Date(now()).toISOString()));
        continue;
      }
      const projected = batch.prepared.get(stored.position);
      if (projected && isTaken(track.projection, stored.type)) events.push(projected);
    }
    if (events.length || letters.length)
      changes.push({
        track,
        change: await foldBatch(
          track,
          {
            events,
            letters,
            to: { position: batch.to, systemTime: batch.systemTimes.end },
            systemTimeAt: batch.systemTimes.at,
          },
          {
            numbersOf: (banks) => views.numbersOf(track.id, banks),
            load: (requests) => views.load(track.id, requests),
          },
        ),
      });
    else {
      track.quiet += passed;
      if (track.quiet >= quietEvents)
        changes.push({ track, change: emptyChange(track, batch.to, batch.systemTimes.end) });
    }
  }
  return changes;
}

/** Looked up once for each event, whatever the number of tracks. */
function partitioned(stored: readonly SeenEvent[], partitions: number): ReadonlyMap<number, readonly SeenEvent[]> {
  if (partitions === 1) return new Map([[0, stored]]);
  const found = new Map<number, SeenEvent[]>();
  for (const event of stored) {
    const partition = partitionFor(event, partitions);
    const others = found.get(partition);
    if (others) others.push(event);
    else found.set(partition, [event]);
  }
  return found;
}

function emptyChange(track: Track, position: Position, systemTime: string): GenerationChange {
  return {
    id: track.id,
    partition: track.partition,
    from: track.persisted,
    to: { position, systemTime: systemTime > track.systemTime ? systemTime : track.systemTime },
    numbers: new Map(),
    tables: [],
    setAside: [],
  };
}

function toLetter({ position, stream, id, type }: SeenEvent, reason: string, at: string): DeadLetter {
  return { position, stream, eventId: id, type, reason, at };
}
