import { setTimeout as sleep } from 'node:timers/promises';
import { isHindsightError } from '#contract/errors.js';
import type { EncodedEvent } from '#events/envelope.js';
import type { Ledger, StoredEvent } from '#ledger/ledger.js';

/** Where the next event of a stream goes. */
export interface NextPlace {
  readonly revision: number;
  readonly previous: string | null;
  /** ISO; at least that of the event before. */
  readonly recordedAt: string;
}

/** Other writers may be faster this often, in a row, on one stream. */
const mostTries = 200;

/**
 * Appends behind whatever a stream holds: read anew, and decided anew, whenever another writer comes between.
 * @param make the events that follow what is there; none when nothing need be stored
 * @returns what the stream held before, and the last event stored with its position
 */
export async function appendNext(
  { ledger, now }: { readonly ledger: Ledger; readonly now: () => number },
  stream: string,
  make: (held: readonly StoredEvent[], place: (after?: EncodedEvent) => NextPlace) => Promise<readonly EncodedEvent[]>,
): Promise<{
  readonly held: readonly StoredEvent[];
  readonly position?: string;
  readonly last?: EncodedEvent | undefined;
}> {
  const held: StoredEvent[] = [];
  for (let tries = 1; ; tries++) {
    for await (const stored of ledger.readStream(stream, { from: held.length })) held.push(stored);
    const last = held.at(-1);
    const recordedAt = new Date(Math.max(now(), last ? recordedAtOf(last) : 0)).toISOString();
    const events = await make(held, (after = last) => ({
      revision: (after?.revision ?? -1) + 1,
      previous: after ? Buffer.from(after.hash).toString('base64url') : null,
      recordedAt,
    }));
    if (events.length === 0) return { held };
    try {
      const { position } = await ledger.append(stream, events, last?.revision ?? 'no_stream');
      return { held, position, last: events.at(-1) };
    } catch (error) {
      if (!isHindsightError(error, 'wrong_expected_revision') || tries >= mostTries) throw error;
      await sleep(Math.random() * Math.min(2 * tries, 25));
    }
  }
}

function recordedAtOf({ bytes }: StoredEvent): number {
  const { recordedAt } = JSON.parse(Buffer.from(bytes).toString('utf8')) as { recordedAt: string };
  return Date.parse(recordedAt);
}
