import { setImmediate as breathe, setTimeout as sleep } from 'node:timers/promises';
import { HindsightError, isHindsightError } from '#contract/errors.js';
import { bankOfStream } from '#events/stream-name.js';
import { UnknownEventError } from '#events/upcast.js';
import type { Ledger, Position, StoredEvent } from '#ledger/ledger.js';
import { erasedLater } from '#sealing/erased-later.js';
import type { Vault } from '#sealing/vault.js';
import { partitionOf } from '#views/partition.js';
import { isPurging } from '#views/purge.js';
import type { DeadLetter, GenerationChange, Views } from '#views/views.js';
import { isOpenedFor, isTaken, type ProjectedEvent } from '../projections/projection.js';
import { dropAbandoned } from './drop-abandoned.js';
import { ApplyError, foldBatch, settle, type Track } from './fold-batch.js';
import { mayChangeAnswers } from './may-change-answers.js';
import { HashMismatchError, type Preparing, prepareEvent, refuseNewer } from './prepare-event.js';
import { type SystemTimes, systemTimesOf } from './system-times.js';

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
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Called with an event whose stored bytes are not those that were hashed. */
  readonly markDamaged?: (damage: { what: string; position: Position }) => void;
  /** Told of events before they are set aside, and again when that has to be repeated. Nothing is set aside where it fails. */
  readonly onSetAside?: (change: GenerationChange) => Promise<void>;
  /** Told of each commit that changed rows: of what it took in, in which projections. */
  readonly onCommitted?: ((committed: Committed) => void) | undefined;
}

/** `took` in milliseconds since the epoch: from when opening the events began until their rows could be read. */
export interface Committed {
  readonly projections: readonly string[];
  readonly events: readonly StoredEvent[];
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

/** Pauses between tries of an event that cannot be opened, in milliseconds: its key may be another process's newest. */
const retryPauses = [25, 100];
/** Opening gives the event loop its turn after this many milliseconds. */
const breathAfter = 8;
/** A batch ends after this much of stored events: what is drawn from them is some twenty times as large while it is folded. */
const batchBytes = 1024 * 1024;
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

async function prepareAll(
  deps: ProjectorDeps,
  stored: readonly StoredEvent[],
  tracks: readonly Track[],
  refused: Map<string, unknown>,
  strict: boolean,
): Promise<Map<Position, ProjectedEvent>> {
  const prepared = new Map<Position, ProjectedEvent>();
  const byPartition = new Map<number, Track[]>();
  for (const track of tracks) byPartition.set(track.partition, [...(byPartition.get(track.partition) ?? []), track]);
  const partitions = tracks[0]?.partitions ?? 1;
  let lastBreath = performance.now();
  for (const event of stored) {
    const concerned = byPartition.get(partitionFor(event, partitions)) ?? [];
    if (!concerned.some((track) => isLooked(track, event))) continue;
    try {
      const opens = concerned.some((track) => isOpenedFor(track.projection, event.type) && isLooked(track, event));
      const projected = await prepareWithRetries(deps, event, { opens, erasedLater: erasedLater(deps.ledger) });
      if (projected) prepared.set(event.position, projected);
    } catch (error) {
      await refuse(deps, event, error, strict);
      refused.set(event.id, error);
    }
    if (performance.now() - lastBreath < breathAfter) continue;
    await breathe();
    lastBreath = performance.now();
  }
  return prepared;
}

/**
 * Whether an event is prepared for a track. One that takes only some types leaves it to the others to notice what is wrong with the rest.
 */
function isLooked(track: Track, event: StoredEvent): boolean {
  if (!isAfter(track, event) || track.setAside.has(event.stream)) return false;
  return track.projection.takes === undefined || isTaken(track.projection, event.type);
}

/** Whether an event of a track's partition is still to be applied. */
function isAfter(track: Track, { position }: StoredEvent): boolean {
  return (track.passed ?? '') < position;
}

function partitionFor({ stream }: StoredEvent, partitions: number): number {
  return partitions === 1 ? 0 : partitionOf(bankOfStream(stream), partitions);
}

async function prepareWithRetries(
  { vault, prepare = prepareEvent }: ProjectorDeps,
  event: StoredEvent,
  how: Preparing,
): Promise<ProjectedEvent | undefined> {
  for (const pause of retryPauses) {
    try {
      return await prepare(vault, event, how);
    } catch (error) {
      refuseNewer(event);
      if (!isPoison(error)) throw error;
      await sleep(pause);
    }
  }
  return prepare(vault, event, how);
}

/** Decides what an event that cannot be projected means: returns when it is to be set aside. */
async function refuse(deps: ProjectorDeps, event: StoredEvent, error: unknown, strict: boolean): Promise<void> {
  if (error instanceof UnknownEventError)
    throw new HindsightError(
      'unknown_event',
      `Projecting stops at position ${event.position}: ${error.message}.`,
      { position: event.position, event: event.id, type: event.type },
      { cause: error },
    );
  if (!isPoison(error)) throw error;
  if (error instanceof HashMismatchError) deps.markDamaged?.({ what: error.message, position: event.position });
  if (strict)
    throw new HindsightError(
      'event_unreadable',
      `Event ${event.id} (${event.type}, position ${event.position}) cannot be projected: ${reasonOf(error)}.`,
      { position: event.position, event: event.id, type: event.type, stream: event.stream },
      { cause: error },
    );
  deps.log.warn(
    { event: event.id, type: event.type, stream: event.stream, position: event.position, reason: reasonOf(error) },
    'an event cannot be projected: it is set aside with everything later of its stream',
  );
}

/** What a connection says (ECONNREFUSED), and what a database does (57P01). */
const engineTrouble = /^(E[A-Z]+|[0-9A-Z]{5})$/;

/** Errors of this event alone; what is wrong with a disk, a lock or a key store would fail for every event. */
function isPoison(error: unknown): boolean {
  if (error instanceof UnknownEventError) return false;
  if (isHindsightError(error))
    return error.code === 'key_not_found' || (error.code === 'ledger_corrupt' && 'eventId' in error.details);
  const { errcode, code } = (error ?? {}) as { errcode?: unknown; code?: unknown };
  return typeof errcode !== 'number' && !(typeof code === 'string' && engineTrouble.test(code));
}

/** The first line and at most 200 characters: a schema error may show the value that it found, and that may be content. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'ZodError') return 'it has not the form of its type';
  if (error instanceof SyntaxError) return 'its bytes are no JSON';
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n')[0]!.slice(0, 200).replace(/\.$/, '');
}

interface Batch {
  readonly stored: readonly StoredEvent[];
  readonly prepared: ReadonlyMap<Position, ProjectedEvent>;
  /** Events that cannot be projected, by id, and why. */
  readonly refused: ReadonlyMap<string, unknown>;
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
      const refusal = batch.refused.get(stored.id);
      if (refusal !== undefined || setAside.has(stored.stream)) {
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
function partitioned(stored: readonly StoredEvent[], partitions: number): ReadonlyMap<number, readonly StoredEvent[]> {
  if (partitions === 1) return new Map([[0, stored]]);
  const found = new Map<number, StoredEvent[]>();
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

function toLetter({ position, stream, id, type }: StoredEvent, reason: string, at: string): DeadLetter {
  return { position, stream, eventId: id, type, reason, at };
}
