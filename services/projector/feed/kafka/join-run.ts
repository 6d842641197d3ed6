import type { FedBatch, FedEvent } from '../feed.js';
import type { FedMessage } from './messages.js';

/** A message that waits, and where the group goes on after it. */
export interface Waiting {
  readonly message: FedMessage;
  readonly bytes: number;
  /** Kafka's offset after it. */
  readonly next: string;
}

/** A batch takes at most as many events, and bytes (one event is always taken). */
const mostEvents = 500;
const mostBytes = 1024 * 1024;

/**
 * The longest run at the front of what waits in which nothing is missing: each message begins where those before it ended, or earlier.
 * What a relay that resumed has sent again is left out. Where something is missing the run ends, so that whoever applies the next
 * one sees the gap by its `after`.
 * @returns the batch, and how many messages it stands for; undefined when nothing waits
 */
export function joinRun(
  waiting: readonly Waiting[],
  partition: number,
): { batch: FedBatch; messages: number; next: string } | undefined {
  const first = waiting[0];
  if (!first) return undefined;
  const events: FedEvent[] = [];
  let { message, next } = first;
  let messages = 0;
  let bytes = 0;
  let [to, systemTime] = ['', ''];
  for (const each of waiting) {
    ({ message } = each);
    const isFirst = messages === 0;
    if (!isFirst && (message.after ?? '') > to) break;
    if (message.kind === 'event') {
      if (!isFirst && (events.length >= mostEvents || bytes + each.bytes > mostBytes)) break;
      const { event, systemTime: time } = message.fed;
      if (event.position > to) {
        events.push(message.fed);
        bytes += each.bytes;
        to = event.position;
        systemTime = time;
      }
    } else if (message.mark.position > to) {
      to = message.mark.position;
      systemTime = message.mark.systemTime;
    }
    messages += 1;
    next = each.next;
  }
  return { batch: { partition, after: first.message.after, events, to, systemTime }, messages, next };
}
