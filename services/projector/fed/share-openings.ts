import type { Position } from '#ledger/ledger.js';
import type { prepareEvent } from '../fold/prepare-event.js';
import type { ProjectedEvent } from '../projections/projection.js';

type Prepare = typeof prepareEvent;

interface Opening {
  readonly opened: Promise<ProjectedEvent | undefined>;
  readonly bytes: number;
  /** How many have not asked for it yet. */
  left: number;
}

/** Bytes of stored events whose openings are kept: what is drawn from them is some twenty times as large. */
const mostBytes = 2 * 1024 * 1024;
const mostEvents = 4_000;

/**
 * Opens an event once for all projections of a process: whoever asks while it is being opened waits for the same. It is forgotten when
 * all have asked, or when it is the oldest of too many; what failed is tried anew.
 * @param sharers how many ask for each event
 */
export function shareOpenings(prepare: Prepare, sharers: number): Prepare {
  // By position: EventStoreDB may hold one id twice.
  const openings = new Map<Position, Opening>();
  let held = 0;

  function forget(position: Position): void {
    const opening = openings.get(position);
    if (!opening) return;
    openings.delete(position);
    held -= opening.bytes;
  }

  return (vault, stored) => {
    const { position } = stored;
    const found = openings.get(position);
    if (found) {
      if (--found.left === 0) forget(position);
      return found.opened;
    }
    const opened = prepare(vault, stored);
    if (sharers < 2) return opened;
    const opening = { opened, bytes: stored.bytes.length, left: sharers - 1 };
    openings.set(position, opening);
    held += opening.bytes;
    opened.catch(() => {
      if (openings.get(position) === opening) forget(position);
    });
    for (const oldest of openings.keys()) {
      if (held <= mostBytes && openings.size <= mostEvents) break;
      forget(oldest);
    }
    return opened;
  };
}
