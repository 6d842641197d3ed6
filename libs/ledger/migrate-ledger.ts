import { HindsightError } from '#contract/errors.js';
import { eventHash } from '#events/hash.js';
import { appendsOf } from './appends-of.js';
import type { Ledger, Position, StoredEvent } from './ledger.js';
import { ledgerMoved, type Place } from './place.js';
import { chainCheck, type Verification, type VerifyOptions } from './verify-ledger.js';

export interface MigrateOptions {
  /** Stops until the source is closed; what was copied stays, and the next run goes on from there. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: MigrateProgress) => void;
  /** Called before anything is copied, and again when neither place takes appends: keys and tokens. May be called again after a failure. */
  readonly alongside?: () => Promise<void>;
  /** Of the source, as `verifyLedger` takes it. */
  readonly gapBetween?: VerifyOptions['gapBetween'];
}

export interface MigrateProgress {
  /** `closing`: writers are told, and what they wrote meanwhile is copied. */
  readonly phase: 'copying' | 'checking' | 'closing';
  /** In this phase. */
  readonly events: number;
}

/** With `was_moved_before` an earlier run had done all of it. */
export type Migrated = { readonly status: 'was_moved_before'; readonly ledger: string } | Moved;

interface Moved {
  readonly status: 'moved';
  readonly ledger: string;
  readonly events: number;
  readonly streams: number;
  readonly bytes: number;
  /** Copied by this run: what an earlier one had copied was found there. */
  readonly copied: number;
  readonly seconds: { readonly copying: number; readonly checking: number; readonly refusing: number };
}

/**
 * Moves a ledger to a place that is closed until the whole of it is there: in global order, with every id, recorded time, byte and hash.
 * The source takes appends all the while, up to the moment when it is closed; then what came meanwhile is copied, and the target opened.
 *
 * The target is always a beginning of the source, so its last event tells how far it is: a run that was killed leaves nothing that
 * the next one needs, and running twice at once copies nothing twice. Killed between closing and opening, neither place takes appends until the
 * next run has finished.
 * @throws HindsightError ledger_moved when the source is closed for another place · invalid_config when the target takes appends · ledger_corrupt
 * when an event of the source is wrong, or the target holds another
 */
export async function migrateLedger(source: Place, target: Place, options: MigrateOptions = {}): Promise<Migrated> {
  const { signal, onProgress, alongside, gapBetween } = options;
  const lockstep = comparing(source.ledger, target.ledger, gapBetween);
  const seconds = { copying: 0, checking: 0, refusing: 0 };
  const timed = async <T>(what: keyof typeof seconds, work: () => Promise<T>): Promise<T> => {
    const began = performance.now();
    try {
      return await work();
    } finally {
      seconds[what] += (performance.now() - began) / 1000;
    }
  };
  let copied = 0;
  const copy = async (phase: MigrateProgress['phase'], upTo: Position | undefined) => {
    const before = copied;
    for await (const count of copying(source, target, upTo, phase === 'closing')) {
      copied += count;
      onProgress?.({ phase, events: copied });
      if (phase !== 'closing') signal?.throwIfAborted();
    }
    return copied - before;
  };
  /** In rounds, each up to what was there when it began, until little is left or writers are as fast as this is. */
  const catchUp = async () => {
    let former = Number.POSITIVE_INFINITY;
    for (let round = await nextRound(); round > portionEvents && round < former * 0.8; round = await nextRound())
      former = round;
  };
  const nextRound = async () => copy('copying', await source.ledger.head());
  const compare = (to: Position | undefined, stop?: AbortSignal) =>
    lockstep.compareTo(to, (events) => {
      stop?.throwIfAborted();
      onProgress?.({ phase: 'checking', events });
    });

  const before = await standing(source, target);
  if (before === 'moved') return { status: 'was_moved_before', ledger: source.ledger.id };
  await alongside?.();
  if (before === 'open') {
    await timed('copying', catchUp);
    await timed('checking', async () => compare(await target.ledger.head(), signal));
    // What was written during the check, so that little is left for when nobody may write.
    await timed('copying', catchUp);
    signal?.throwIfAborted();
  }
  const cut = await source.close(target.name, signal);
  const found = await timed('refusing', async () => {
    await copy('closing', cut);
    const compared = await compare(await target.ledger.head());
    if ((await lastEvent(source.ledger, cut))?.position !== compared.head)
      throw new HindsightError('ledger_corrupt', `${target.name.shown} does not hold all of the ledger.`);
    await alongside?.();
    await target.open();
    return compared;
  });
  const { events, streams, bytes } = found;
  return { status: 'moved', ledger: source.ledger.id, events, streams, bytes, copied, seconds };
}

/**
 * Lets the source take appends again, after a run that was killed or failed when it had closed it.
 * @throws HindsightError invalid_config when the target takes appends: it is the ledger then
 */
export async function cancelMigration(source: Place, target: Place): Promise<void> {
  if ((await standing(source, target)) === 'moved')
    throw new HindsightError(
      'invalid_config',
      `The ledger is at ${target.name.shown}, which takes appends: move it back from there instead.`,
    );
  await source.open();
}

/** Whether there is something to move, or an earlier run was killed after it had closed the source, or opened the target. */
async function standing(source: Place, target: Place): Promise<'open' | 'closed' | 'moved'> {
  if (source.ledger.id !== target.ledger.id)
    throw new HindsightError(
      'invalid_config',
      `${source.name.shown} holds ledger ${source.ledger.id}, and ${target.name.shown} holds ${target.ledger.id}.`,
    );
  if (source.name.id === target.name.id)
    throw new HindsightError('invalid_config', `The ledger is at ${target.name.shown} already.`);
  const [here, there] = [await source.status(), await target.status()];
  if (here.open && there.open)
    throw new HindsightError(
      'invalid_config',
      `${target.name.shown} takes appends, and so does ${source.name.shown}: one of them is a copy of files, and two histories cannot be made one.`,
    );
  if (here.open) return 'open';
  if (here.ledgerIsAt.id !== target.name.id) throw ledgerMoved(here.ledgerIsAt);
  return there.open ? 'moved' : 'closed';
}

/** Events that are handed to a place at once. SQLite takes them in one transaction. */
const portionEvents = 500;
const portionBytes = 4 * 1024 * 1024;

/** Copies what the target lacks up to a position; yields the number of events after each portion. */
async function* copying(
  source: Place,
  target: Place,
  upTo: Position | undefined,
  isClosed: boolean,
): AsyncGenerator<number> {
  let portion: StoredEvent[] = [];
  let bytes = 0;
  const flush = async () => {
    const whole = isClosed ? portion : await withoutLate(source, portion);
    portion = [];
    bytes = 0;
    if (whole.length > 0) await fill(target, whole);
    return whole.length;
  };
  if (upTo === undefined) return;
  for await (const event of source.ledger.readAll({ after: await placeInSource(source.ledger, target.ledger) })) {
    if (event.position > upTo) break;
    refuseChanged(event);
    portion.push(event);
    bytes += event.bytes.byteLength;
    if (portion.length >= portionEvents || bytes >= portionBytes) yield await flush();
  }
  if (portion.length > 0) yield await flush();
}

/** Chains are followed later; what can be told of one event alone is told before it is in the copy for good. */
function refuseChanged({ id, position, bytes, hash }: StoredEvent): void {
  if (bytes instanceof Uint8Array && Buffer.compare(eventHash(bytes), hash) === 0) return;
  throw new HindsightError(
    'ledger_corrupt',
    `Event ${id} at position ${position} of the ledger is wrong: its bytes do not have the hash that is stored with them. It is not moved as it is.`,
    { position, eventId: id },
  );
}

/** Another run may close the source meanwhile: what was read is of the ledger if the source is open after that, or as far as its cut. */
async function withoutLate(source: Place, read: readonly StoredEvent[]): Promise<readonly StoredEvent[]> {
  const status = await source.status();
  if (status.open) return read;
  return read.filter(({ position }) => status.cut !== undefined && position <= status.cut);
}

async function fill(target: Place, portion: readonly StoredEvent[]): Promise<void> {
  try {
    await target.fill(appendsOf(portion));
  } catch (error) {
    if (!(error instanceof HindsightError && /^(wrong_expected_revision|idempotency_key_reused)$/.test(error.code)))
      throw error;
    throw new HindsightError(
      'ledger_corrupt',
      `${target.name.shown} holds events that the ledger does not have: ${error.message} Give a place without a ledger.`,
      error.details,
      { cause: error },
    );
  }
}

/** Where in the source the target's last event stands. */
async function placeInSource(source: Ledger, target: Ledger): Promise<Position | undefined> {
  const last = await lastEvent(target);
  if (!last) return undefined;
  for await (const same of source.readStream(last.stream, { from: last.revision, limit: 1 }))
    if (isSame(same, last)) return same.position;
  throw notOfTheLedger(target, last);
}

async function lastEvent(ledger: Ledger, cut?: Position): Promise<StoredEvent | undefined> {
  for await (const event of ledger.readAll({ direction: 'backward' }))
    if (cut === undefined || event.position <= cut) return event;
  return undefined;
}

/**
 * Follows the chains of the source and holds every event of the target against its own. What is equal in all that a chain is made of need
 * not be followed twice: the target's chains are then as right as the source's. Goes on from where it was.
 */
function comparing(source: Ledger, target: Ledger, gapBetween: VerifyOptions['gapBetween']) {
  const check = chainCheck(source.id, gapBetween);
  let passed: { readonly source: Position; readonly target: Position } | undefined;
  return {
    /** @param to the target's last event to be compared */
    async compareTo(to: Position | undefined, onProgress: (events: number) => void): Promise<Verification> {
      if (to !== undefined && to !== passed?.target) {
        const others = source.readAll({ after: passed?.source })[Symbol.asyncIterator]();
        let events = 0;
        for await (const event of target.readAll({ after: passed?.target })) {
          const other = await others.next();
          if (other.done || !isSame(other.value, event)) throw notOfTheLedger(target, event);
          events = check.take(other.value);
          passed = { source: other.value.position, target: event.position };
          if (events % 2_000 === 0) onProgress(events);
          if (event.position >= to) break;
        }
        await others.return?.();
        onProgress(events);
      }
      const found = check.found();
      if (found.firstFault || found.missing.length > 0) throw wrongInSource(found);
      return found;
    },
  };
}

function isSame(one: StoredEvent, other: StoredEvent): boolean {
  return (
    one.stream === other.stream &&
    one.revision === other.revision &&
    one.id === other.id &&
    one.type === other.type &&
    Buffer.compare(one.hash, other.hash) === 0 &&
    Buffer.compare(one.bytes, other.bytes) === 0
  );
}

function notOfTheLedger(target: Ledger, { stream, revision, position }: StoredEvent): HindsightError {
  return new HindsightError(
    'ledger_corrupt',
    `What stands in the copy at position ${position} (${stream}, revision ${revision}) is not what the ledger has there. Give a place without a ledger.`,
    { ledger: target.id, position, stream, revision },
  );
}

function wrongInSource({ firstFault, missing }: Verification): HindsightError {
  const [gap] = missing;
  return new HindsightError(
    'ledger_corrupt',
    firstFault
      ? `Event ${firstFault.eventId} at position ${firstFault.position} of the ledger is wrong: ${firstFault.what}. It is not moved as it is.`
      : `Events are missing from position ${gap!.first} of the ledger on. It is not moved as it is.`,
    { position: firstFault?.position ?? gap!.first },
  );
}
