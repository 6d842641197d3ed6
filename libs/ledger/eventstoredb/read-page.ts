import type { RecordedEvent, ResolvedEvent, StreamingRead } from '@eventstore/db-client';
import { Late } from './trouble.js';

export interface Page {
  readonly events: readonly RecordedEvent[];
  /** True when it ended because it was large enough, not because the server had no more. */
  readonly isCut: boolean;
}

/** A page is held in memory: it ends after so many bytes (one event may be 768 KiB). */
const largestPage = 4 * 1024 * 1024;

/**
 * Reads to the end of one call. Reading goes page by page and not in one call without end, which has no deadline, waits in the server
 * for a slow reader and cannot be made again where it was cut.
 * @param deadline milliseconds until the next event; the client knows none for reads
 */
export async function readPage(read: StreamingRead<ResolvedEvent>, deadline: number): Promise<Page> {
  const events: RecordedEvent[] = [];
  let bytes = 0;
  // An error after the loop has ended has no other listener, and would end the process.
  read.on('error', () => {});
  const timer = setTimeout(() => read.destroy(new Late()), deadline);
  try {
    for await (const { event } of read as AsyncIterable<ResolvedEvent>) {
      timer.refresh();
      if (!event) continue;
      events.push(event);
      bytes += event.data instanceof Uint8Array ? event.data.byteLength : 0;
      if (bytes >= largestPage) return { events, isCut: true };
    }
  } catch (error) {
    if ((error as { type?: unknown }).type !== 'stream-not-found') throw error;
  } finally {
    clearTimeout(timer);
    cancel(read);
  }
  return { events, isCut: false };
}

/** Ending the iteration alone leaves the call open in the server. */
function cancel(read: StreamingRead<ResolvedEvent>): void {
  read.cancel().catch(() => {});
}
