import type { Ledger, Position } from '#ledger/ledger.js';
import type { GenerationId, Views } from '#views/views.js';

export interface StallWatch {
  /** The ledger's head, when nothing has come for a while though there is something; undefined otherwise. */
  missing(): Promise<Position | undefined>;
  /** Whether every partition has, whichever process brought it there. */
  hasPassed(position: Position | undefined): Promise<boolean>;
}

/** Milliseconds without any progress of a generation, by any process, while the ledger holds more. */
const stallAfter = 5_000;

/**
 * Notices that the feed does not bring what the ledger has: a group that has just been joined and begins at the end, an outage of
 * Kafka or of the relay, a topic that was made anew.
 */
export function createStallWatch({
  ledger,
  views,
  id,
  after = stallAfter,
}: {
  ledger: Ledger;
  views: Views;
  id: GenerationId;
  after?: number | undefined;
}): StallWatch {
  let stood: { last: Position; head: Position; since: number } | undefined;

  async function furthestBack(): Promise<Position> {
    const positions = (await views.checkpoints(id)).map(({ position = '' }) => position);
    return positions.sort()[0] ?? '';
  }

  return {
    hasPassed: async (position = '') => (await furthestBack()) >= position,
    async missing() {
      const last = await furthestBack();
      const moved = last !== stood?.last;
      const now = performance.now();
      if (stood && !moved && now - stood.since < after) return undefined;
      const head = (await ledger.head()) ?? '';
      const isMissing = stood !== undefined && !moved && stood.last < stood.head;
      stood = { last, head, since: now };
      return isMissing ? head : undefined;
    },
  };
}
