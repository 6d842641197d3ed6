import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '#contract/caller.js';
import { HindsightError, isHindsightError } from '#contract/errors.js';
import { decodeEnvelope, type EncodedEvent } from '#events/envelope.js';
import { memoryStream } from '#events/stream-name.js';
import { type Ledger, maxAppendBytes } from '#ledger/ledger.js';
import { openEvent } from '#sealing/open-event.js';
import type { BankLives } from '../banks/bank-life.js';
import type { EndLate } from '../erase/end-late.js';
import { isGone } from '../erase/is-gone.js';
import { type Decision, keyReused } from './decision.js';
import { openLanes } from './lanes.js';
import type { Log } from './log.js';
import { type Memories, memoriesOf } from './memories.js';
import { type Remembered, remember, unremembered } from './remembered.js';
import { type SealingTools, sealChange, secretFor } from './seal-change.js';
import { inSessionOrder } from './session-order.js';
import { type IsOfAnotherBank, orOfAnotherBank } from './whose-memory.js';

/**
 * Writers of other processes that were faster this many times in a row, on one memory, are reported. Six processes that
 * wrote one slot without a pause on a busy machine lost up to 40 races in a row, once in 240 writes.
 */
const mostTries = 200;

/** What the ledger adds to an event's bytes when it counts an append (see maxAppendBytes). */
const eventOverhead = 64;

/** Something to be decided on one memory's state, again whenever that state turns out to be old. */
export interface Change<A> {
  readonly memoryId: string;
  /** Nothing can have been written to it: its stream need not be read. */
  readonly isNew: boolean;
  /** @param now milliseconds since the epoch; never before the memory's last event */
  decide(memory: Remembered, now: number): Decision<A>;
}

/** The event that an outcome rests on: the one just stored, or the memory's last. */
export interface Mark {
  readonly position: string;
  /** base64url */
  readonly hash: string;
  /** Milliseconds since the epoch. */
  readonly recordedAt: number;
}

export type Outcome<A> = { readonly answer: A; readonly mark?: Mark } | { readonly error: unknown };

export interface Committing {
  readonly memories: Memories;
  /**
   * Decides and stores changes, each with an outcome of its own, in the order given. Changes of one memory are decided one
   * after the other and stored together; the appends of all memories are issued in one tick, so that they share an fsync, but for those of
   * one session where the ledger does not keep their order.
   */
  commit<A>(changes: readonly Change<A>[], caller: Caller): Promise<Outcome<A>[]>;
}

interface Deps {
  readonly ledger: Ledger;
  readonly sealing: SealingTools;
  readonly isOfAnotherBank: IsOfAnotherBank;
  readonly lives: BankLives;
  /** Ends what was written about people at the moment at which their keys were destroyed. */
  readonly endLate?: EndLate;
  readonly log?: Log;
}

/** Changes of one memory that are still to be made, with their places in the answer. */
interface Group<A> {
  readonly memoryId: string;
  readonly isNew: boolean;
  readonly changes: readonly { readonly index: number; readonly change: Change<A> }[];
}

interface Step<A> {
  readonly index: number;
  readonly change: Change<A>;
  readonly outcome: { readonly answer: A } | { readonly error: unknown };
  readonly encoded?: EncodedEvent;
  readonly session?: string | undefined;
  /** As it is once this step is stored. */
  readonly after: Remembered;
}

/** The master key epoch from before anything about people was sealed; asked for once in a call, and only then. */
interface Epoch {
  before: Promise<number> | undefined;
}

export function committing(deps: Deps): Committing {
  const { ledger, sealing, isOfAnotherBank, lives, log } = deps;
  const { vault, sources } = sealing;
  const memories = memoriesOf(ledger, vault, deps.endLate);
  const lanes = openLanes();

  async function plan<A>(group: Group<A>, caller: Caller, firstTry: boolean, epoch: Epoch): Promise<Step<A>[]> {
    try {
      return await planned(group, caller, firstTry, epoch);
    } catch (error) {
      const after = unremembered(group.memoryId);
      return group.changes.map((each) => ({ ...each, outcome: { error }, after }));
    }
  }

  async function planned<A>(group: Group<A>, caller: Caller, firstTry: boolean, epoch: Epoch): Promise<Step<A>[]> {
    const { memoryId } = group;
    if (group.isNew && firstTry) return planOn(unremembered(memoryId), group, caller, epoch);
    const kept = firstTry ? memories.kept(caller.bank, memoryId) : undefined;
    if (kept) {
      // What is kept may be old. An append would find out; an answer without one must not rest on it.
      const steps = await planOn(kept, group, caller, epoch);
      if (steps[0]?.encoded) return steps;
    }
    return planOn(await memories.upToDate(caller.bank, memoryId), group, caller, epoch);
  }

  async function planOn<A>(memory: Remembered, group: Group<A>, caller: Caller, epoch: Epoch): Promise<Step<A>[]> {
    const steps: Step<A>[] = [];
    let after = memory;
    for (const { index, change } of group.changes) {
      try {
        const now = Math.max(sources.now(), after.state.lastRecordedAt);
        const decision = change.decide(after, now);
        if (decision.is === 'refusal') {
          steps.push({ index, change, outcome: { error: decision.error }, after });
        } else if (decision.is === 'answer') {
          steps.push({ index, change, outcome: { answer: decision.answer }, after });
        } else {
          const { subjects, subjectHashes } = decision.origin;
          if (deps.endLate && (subjects?.length || subjectHashes?.length)) {
            epoch.before ??= vault.epoch();
            await epoch.before;
          }
          const sealed = await seal(after, decision, caller, now, group.isNew && group.changes.length === 1);
          after = sealed.after;
          const { session } = decision.origin;
          steps.push({ index, change, outcome: { answer: decision.answer }, session, ...sealed });
        }
      } catch (error) {
        steps.push({ index, change, outcome: { error }, after });
      }
    }
    return steps;
  }

  /** @param only nothing is decided on the memory after this: folding the event, a seventh of a write's time, is spared */
  async function seal<A>(
    memory: Remembered,
    { event, origin }: Extract<Decision<A>, { is: 'event' }>,
    caller: Caller,
    now: number,
    only: boolean,
  ): Promise<{ encoded: EncodedEvent; after: Remembered }> {
    const { state } = memory;
    const secret = await secretFor(vault, memory.secretId);
    const place = {
      ledger: ledger.id,
      bank: caller.bank,
      stream: memoryStream(ledger.id, caller.bank, state.memoryId),
      revision: state.revision + 1,
      previous: state.lastHash,
      recordedAt: new Date(now).toISOString(),
    };
    const { encoded, context } = await sealChange(sealing, event, place, caller, origin, secret);
    const hash = Buffer.from(encoded.hash).toString('base64url');
    if (only) {
      const stored = { ...state, revision: place.revision, lastHash: hash, lastRecordedAt: now };
      return { encoded, after: { ...memory, state: stored } };
    }
    return { encoded, after: remember(memory, event, { ...context, box: { k: secret.id } }, hash) };
  }

  /** Stores steps of one memory; resolves with what must be decided anew, since another writer came between. */
  async function store<A>(
    group: Group<A>,
    steps: readonly Step<A>[],
    caller: Caller,
    firstTry: boolean,
    outcomes: Outcome<A>[],
    epoch: Epoch,
  ): Promise<Group<A> | undefined> {
    for (let from = 0; from < steps.length; ) {
      const rest = steps.slice(from);
      const part = rest.slice(0, fitting(rest));
      try {
        const position = await append(part);
        const last = part.at(-1)!.after;
        const after = position === undefined ? last : { ...last, position };
        // Memories without a key are many, and seldom written again: they are read when they are.
        if (position !== undefined && !group.isNew) memories.keep(caller.bank, after);
        for (const { index, outcome } of part) outcomes[index] = { ...outcome, mark: markOf(after) };
        await endWhatIsLate(part, caller.bank, group.memoryId, epoch);
      } catch (error) {
        // What is kept is still how the stream began, unless the stream ends before it: a restored backup.
        if (!hasGrown(error)) memories.drop(caller.bank, group.memoryId);
        if (mayPassAnew(error, firstTry)) return { ...group, changes: rest };
        const refused = rest.find(({ encoded }) => encoded && encoded.id === eventIdOf(error));
        if (refused) {
          outcomes[refused.index] = { error: keyReused(group.memoryId).error };
          return { ...group, changes: rest.filter((step) => step !== refused) };
        }
        if (!isHindsightError(error)) log?.warn({ memoryId: group.memoryId, err: nameOf(error) }, 'an append failed');
        for (const { index, outcome, encoded } of rest) outcomes[index] = encoded ? { error } : outcome;
        return undefined;
      }
      from += part.length;
    }
    return undefined;
  }

  /**
   * An erasure of a person may come between sealing and storing: then nothing opens what was stored. It counts as written before, and goes
   * with the rest.
   */
  async function endWhatIsLate<A>(
    part: readonly Step<A>[],
    bank: string,
    memoryId: string,
    epoch: Epoch,
  ): Promise<void> {
    if (!deps.endLate || epoch.before === undefined || (await epoch.before) === (await vault.epoch())) return;
    for (const { encoded } of part) {
      const { subjects } = encoded ? decodeEnvelope(encoded.bytes) : {};
      if (!encoded || !subjects?.length) continue;
      const isOpen = await openEvent(vault, encoded.bytes).then(
        () => true,
        (error: unknown) => !isGone(error),
      );
      if (isOpen) continue;
      await deps.endLate(bank, memoryId, subjects);
      memories.drop(bank, memoryId);
      return;
    }
  }

  /** Position of the last event stored; undefined when there is none to store. */
  async function append<A>(part: readonly Step<A>[]): Promise<string | undefined> {
    const events = part.map((step) => step.encoded).filter((each) => each !== undefined);
    const first = events[0];
    if (!first) return undefined;
    const expected = first.revision === 0 ? 'no_stream' : first.revision - 1;
    const appended = await ledger.append(first.stream, events, expected);
    if (appended.repeated) await insistOnOwn(events.at(-1)!);
    return appended.position;
  }

  /** An idempotency key leads to one event id everywhere: what stands there may be another try's, or another request's, event. */
  async function insistOnOwn(event: EncodedEvent): Promise<void> {
    for await (const stored of ledger.readStream(event.stream, { from: event.revision, limit: 1 }))
      if (Buffer.compare(stored.hash, event.hash) === 0) return;
    throw new HindsightError('wrong_expected_revision', `Stream ${event.stream} has another event there.`);
  }

  return {
    memories,
    async commit<A>(changes: readonly Change<A>[], caller: Caller) {
      const outcomes = new Array<Outcome<A>>(changes.length);
      let groups = grouped(changes);
      const alive = lives.insistOn(caller.bank);
      alive.catch(() => undefined);
      const leave = await lanes.enter(groups.filter((each) => !each.isNew).map((each) => each.memoryId));
      try {
        for (let tries = 1; groups.length > 0; tries++) {
          // All is planned before anything is appended: appends of one tick share an fsync.
          const epoch: Epoch = { before: undefined };
          const plans = await Promise.all(groups.map((group) => plan(group, caller, tries === 1, epoch)));
          await alive;
          const works = plans.map((steps, at) => ({
            // A turn is read with the one before it: a store that keeps the order of what is appended at once needs no waiting for that.
            sessions: ledger.scattersAppends ? steps.map(({ session }) => session) : [],
            run: () => store(groups[at]!, steps, caller, tries === 1, outcomes, epoch),
          }));
          const lost = await inSessionOrder(works);
          groups = lost.filter((each) => each !== undefined && each.changes.length > 0) as Group<A>[];
          if (groups.length === 0) break;
          if (tries >= mostTries) {
            for (const { index, change } of groups.flatMap((group) => group.changes))
              outcomes[index] = { error: overtaken(change.memoryId) };
            break;
          }
          await sleep(Math.random() * Math.min(2 * tries, 25));
        }
      } finally {
        leave();
      }
      for (const [at, outcome] of outcomes.entries())
        if ('error' in outcome)
          outcomes[at] = {
            error: await orOfAnotherBank(outcome.error, changes[at]!.memoryId, caller, isOfAnotherBank),
          };
      return outcomes;
    },
  };
}

function grouped<A>(changes: readonly Change<A>[]): Group<A>[] {
  const groups = new Map<string, { index: number; change: Change<A> }[]>();
  changes.forEach((change, index) => {
    const group = groups.get(change.memoryId);
    if (group) group.push({ index, change });
    else groups.set(change.memoryId, [{ index, change }]);
  });
  return [...groups].map(([memoryId, each]) => ({ memoryId, isNew: each[0]!.change.isNew, changes: each }));
}

function markOf({ state, position }: Remembered): Mark | undefined {
  if (position === undefined || state.lastHash === null) return undefined;
  return { position, hash: state.lastHash, recordedAt: state.lastRecordedAt };
}

/** What was decided on may have been old: then the stream has moved, or holds the answer to this very request. */
function mayPassAnew(error: unknown, firstTry: boolean): boolean {
  if (isHindsightError(error, 'wrong_expected_revision')) return true;
  return firstTry && isHindsightError(error, 'idempotency_key_reused');
}

/** How many steps, from the first, fit into one append; at least one. */
function fitting<A>(steps: readonly Step<A>[]): number {
  let bytes = 0;
  for (const [count, { encoded }] of steps.entries()) {
    bytes += encoded ? encoded.bytes.length + eventOverhead : 0;
    if (bytes > maxAppendBytes && count > 0) return count;
  }
  return steps.length;
}

function hasGrown(error: unknown): boolean {
  if (!isHindsightError(error, 'wrong_expected_revision')) return false;
  const { expected, actual } = error.details;
  return typeof actual === 'number' && (typeof expected !== 'number' || actual > expected);
}

/** The event that the ledger refuses since it stands elsewhere already: under another memory. */
function eventIdOf(error: unknown): unknown {
  return isHindsightError(error, 'idempotency_key_reused') ? error.details.eventId : undefined;
}

function overtaken(memoryId: string): HindsightError {
  return new HindsightError(
    'concurrent_write',
    `Other writers changed memory ${memoryId} first, ${mostTries} times in a row.`,
    { memory_id: memoryId },
  );
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
