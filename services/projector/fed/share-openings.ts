import type { Position, StoredEvent } from '#ledger/ledger.js';
import type { Vault } from '#sealing/vault.js';
import type { Preparing, prepareEvent } from '../fold/prepare-event.js';
import { isTaken, type ProjectedEvent, type Projection } from '../projections/projection.js';

type Prepare = typeof prepareEvent;

interface Opening {
  readonly opened: Promise<ProjectedEvent | undefined>;
  readonly bytes: number;
  /** How many have not asked for it yet. */
  left: number;
}

/** Opens events for several that ask for the same ones. */
export interface SharedOpenings {
  readonly prepare: Prepare;
  /** Opens what will be asked for. What fails is tried anew by whoever asks. */
  ahead(vault: Vault, stored: StoredEvent): Promise<void>;
}

/** Bytes of stored events whose openings are kept: what is drawn from them is some twenty times as large. */
const mostBytes = 4 * 1024 * 1024;
const mostEvents = 8_000;

/** How many of the projections ask for an event of a type: those that take only some types ask for none of the others. */
export function sharersOf(projections: readonly Projection[]): (type: string) => number {
  return (type) => projections.filter((each) => each.takes === undefined || isTaken(each, type)).length;
}

/**
 * Opens an event once for all projections of a process: whoever asks while it is being opened waits for the same. It is forgotten when
 * all have asked, or when it is the oldest of too many; what failed is tried anew.
 * @param sharers how many ask for each event
 */
export function shareOpenings(prepare: Prepare, sharers: number | ((type: string) => number)): SharedOpenings {
  const askedBy = (type: string) => (typeof sharers === 'number' ? sharers : sharers(type));
  // By position: EventStoreDB may hold one id twice.
  const openings = new Map<Position, Opening>();
  let held = 0;

  function forget(position: Position): void {
    const opening = openings.get(position);
    if (!opening) return;
    openings.delete(position);
    held -= opening.bytes;
  }

  function open(vault: Vault, stored: StoredEvent, how?: Preparing): Opening {
    const { position } = stored;
    const left = askedBy(stored.type);
    // Whoever comes next may need what is drawn from the content, where the first one does not.
    const opened = prepare(vault, stored, left > 1 ? { ...how, opens: true } : how);
    const opening = { opened, bytes: stored.bytes.length, left };
    openings.set(position, opening);
    held += opening.bytes;
    opening.opened.catch(() => {
      if (openings.get(position) === opening) forget(position);
    });
    for (const oldest of openings.keys()) {
      if (held <= mostBytes && openings.size <= mostEvents) break;
      forget(oldest);
    }
    return opening;
  }

  return {
    prepare(vault, stored, how) {
      const opening = openings.get(stored.position) ?? open(vault, stored, how);
      opening.left -= 1;
      if (opening.left === 0) forget(stored.position);
      return opening.opened;
    },
    async ahead(vault, stored) {
      if (!openings.has(stored.position)) await open(vault, stored).opened.catch(() => undefined);
    },
  };
}
