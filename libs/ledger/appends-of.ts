import type { AppendRequest } from './append-request.js';
import { maxAppendBytes, type StoredEvent } from './ledger.js';

/** Events that follow each other in one stream go in one append: they are neighbours there too. */
export function appendsOf(events: readonly Omit<StoredEvent, 'position'>[]): AppendRequest[] {
  const appends: { stream: string; events: Omit<StoredEvent, 'position'>[]; expected: AppendRequest['expected'] }[] =
    [];
  let bytes = 0;
  for (const event of events) {
    const last = appends.at(-1);
    bytes += event.bytes.byteLength + 64;
    const continues = last?.stream === event.stream && last.events.at(-1)!.revision + 1 === event.revision;
    if (last && continues && bytes <= maxAppendBytes) {
      last.events.push(event);
      continue;
    }
    bytes = event.bytes.byteLength + 64;
    const expected = event.revision === 0 ? 'no_stream' : event.revision - 1;
    appends.push({ stream: event.stream, events: [event], expected });
  }
  return appends;
}
