import type { MessagePort } from 'node:worker_threads';
import type { Ledger, Position, StoredEvent } from '#ledger/ledger.js';
import { erasedLater } from '#sealing/erased-later.js';
import type { Vault } from '#sealing/vault.js';
import { prepareEvent, prepareSealed } from '../fold/prepare-event.js';
import { readSlice } from '../fold/project-batch.js';
import { countedTime } from '../fold/system-times.js';
import { allProjections } from '../projections/all-projections.js';
import { isOpenedFor, isTaken, type ProjectedEvent, type Projection } from '../projections/projection.js';
import { type PackedSlice, packSlice } from './prepared-slice.js';
import { type Answered, type Preparation, slicesAhead, type Told } from './preparing.js';

interface Source {
  readonly ledger: Ledger;
  readonly vault: Vault;
  /** Called while all slices that may lie ready do: whoever folds is the slower one, and may be spared something. */
  readonly whileAhead?: () => void;
}

/** The thread's side: goes on from where it is told to begin, as many slices ahead as may lie ready. */
export function servePreparing(port: MessagePort, source: Source, { projections: names, size }: Preparation): void {
  const projections = allProjections.filter(({ name }) => names.includes(name));
  let run = 0;
  let ready = 0;
  let isAtWork = false;
  let next: { after: Position | undefined; target: Position } | undefined;

  async function work(): Promise<void> {
    if (isAtWork) return;
    isAtWork = true;
    while (next && ready < slicesAhead) {
      const [of, { after, target }] = [run, next];
      const slice = await prepared(source, projections, () =>
        readSlice(source.ledger, after, target, size.events, size.bytes),
      );
      // Told meanwhile to begin elsewhere.
      if (of !== run) continue;
      next = slice && slice.to < target ? { after: slice.to, target } : undefined;
      ready++;
      port.postMessage({ run: of, slice } satisfies Answered);
    }
    isAtWork = false;
    if (next && ready >= slicesAhead) source.whileAhead?.();
  }

  port.on('message', (told: Told) => {
    // By itself: a thread that is ended from outside within a call of the SQLite driver takes the whole process with it (@photostructure/sqlite 1.2.1).
    if ('end' in told) process.exit();
    if ('begin' in told) {
      run = told.begin;
      ready = 0;
      next = { after: told.after, target: told.target };
    } else if (told.taken === run) ready--;
    void work();
  });
}

/** Undefined where anything is wrong: it is met again by whoever projects these events himself, and said there. */
async function prepared(
  { ledger, vault }: Source,
  projections: readonly Projection[],
  read: () => Promise<{ stored: readonly StoredEvent[]; to: Position }>,
): Promise<PackedSlice | undefined> {
  try {
    const slice = await read();
    const found = new Map<Position, ProjectedEvent>();
    const whenErased = erasedLater(ledger);
    for (const event of slice.stored) {
      const looking = projections.filter((each) => each.takes === undefined || isTaken(each, event.type));
      if (looking.length === 0) continue;
      const projected = looking.some((each) => isOpenedFor(each, event.type))
        ? await prepareEvent(vault, event, { opens: true, erasedLater: whenErased })
        : prepareSealed(event);
      if (projected) found.set(event.position, projected);
    }
    return packSlice(slice, found, countedTime);
  } catch {
    return undefined;
  }
}
