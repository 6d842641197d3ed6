import type { AppendRequest } from '../append-request.js';
import type { Appended, Position } from '../ledger.js';
import { ledgerMoved } from '../place.js';
import { insist, type Limits } from './insist.js';
import type { PlaceRecord } from './place-record.js';

/**
 * Milliseconds for which a writer relies on what the record said. It is asked for in the background at half of it, so writing costs no
 * further calls. `eventstore-place.ts` waits for longer than this between telling that the ledger leaves and closing it.
 */
export const defaultTrust = 10_000;

export interface PlaceGate {
  /** @throws HindsightError ledger_moved */
  enter(): Promise<void>;
  /** Before an append is acknowledged. @throws HindsightError ledger_moved when it came too late to be part of the ledger */
  leave(position: Position): Promise<void>;
}

/**
 * EventStoreDB cannot refuse appends to streams that are not there yet, so writers look at the place's record. What is acknowledged stands
 * before the mark `LedgerMoved`, since at that moment one of two holds:
 * - The record was read less than `trust` ago and did not say that the ledger leaves. So that was written after the read began, and the
 *   mark comes more than `trust` after that: it is not written yet.
 * - The record was read after the append was written, and the mark was not there, or stands behind the append.
 * The clock is the process's own and never set. A process that stood still meanwhile finds its trust expired, and reads.
 */
export function placeGate(
  read: (deadline: number) => Promise<PlaceRecord>,
  limits: Limits,
  trust: number = defaultTrust,
  now: () => number = () => performance.now(),
): PlaceGate {
  let record: PlaceRecord | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  async function ask(): Promise<void> {
    const began = now();
    const found = await insist(
      limits,
      'Whether the append is written and counts is not known: make it again as it is to find out.',
      read,
    );
    record = found;
    askedAt = began;
  }

  /** A look that begins after this call; those who come while one is under way share the next. */
  function look(): Promise<void> {
    if (!running) {
      running = ask().finally(() => {
        running = undefined;
      });
      return running;
    }
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined;
        return look();
      });
    return next;
  }

  const age = () => now() - askedAt;
  const isTrusted = () => record?.state === 'here' && age() < trust;

  return {
    async enter() {
      if (!isTrusted()) await look();
      if (record?.state === 'coming' || record?.state === 'gone') throw ledgerMoved(record.ledgerIsAt);
    },
    async leave(position) {
      if (isTrusted()) {
        if (age() > trust / 2 && !running) look().catch(() => {});
        return;
      }
      await look();
      if (record?.state === 'coming' || (record?.state === 'gone' && position > record.position))
        throw ledgerMoved(record.ledgerIsAt);
    },
  };
}

/** An append that goes through the gate. */
export function gated(
  gate: PlaceGate,
  append: (request: AppendRequest) => Promise<Appended>,
): (request: AppendRequest) => Promise<Appended> {
  return async (request) => {
    await gate.enter();
    const appended = await append(request);
    await gate.leave(appended.position);
    return appended;
  };
}
