import { eventHash } from '#events/hash.js';
import type { Position, StoredEvent } from '#ledger/ledger.js';
import { mayChangeAnswers } from './may-change-answers.js';

/** System times of events that follow each other in the ledger: the running maximum of the recorded times of those that change answers. */
export interface SystemTimes {
  at(position: Position): string;
  /** After the last one. */
  readonly end: string;
}

/**
 * @param before the system time before the first event; '' at the beginning of the ledger
 * @param recordedAt of an event that was read already; the others are looked into
 */
export function systemTimesOf(
  before: string,
  events: readonly StoredEvent[],
  recordedAt: (event: StoredEvent) => string | undefined,
): SystemTimes {
  return runningTimes(
    before,
    events,
    events.map((event) => recordedAt(event) ?? countedTime(event)),
  );
}

/** @param recorded when each event was recorded, if it counts */
export function runningTimes(
  before: string,
  events: readonly Pick<StoredEvent, 'position'>[],
  recorded: readonly (string | undefined)[],
): SystemTimes {
  const times = new Map<Position, string>();
  let running = before;
  for (let index = 0; index < events.length; index++) {
    const time = recorded[index];
    if (time !== undefined && time > running) running = time;
    times.set(events[index]!.position, running);
  }
  return { at: (position) => times.get(position) ?? running, end: running };
}

/** When an event was recorded, if it counts: one that changes no answer does not, nor one whose bytes were damaged. */
export function countedTime(event: StoredEvent): string | undefined {
  if (!mayChangeAnswers(event)) return undefined;
  if (Buffer.compare(eventHash(event.bytes), event.hash) !== 0) return undefined;
  try {
    const { bytes } = event;
    const parsed: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
    const { recordedAt } = parsed as { recordedAt?: unknown };
    return typeof recordedAt === 'string' ? recordedAt : undefined;
  } catch {
    return undefined;
  }
}
