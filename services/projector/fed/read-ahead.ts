import { setImmediate as breathe } from 'node:timers/promises';
import type { Position } from '#ledger/ledger.js';
import { type ProjectorDeps, readSlice, type Slice } from '../fold/project-batch.js';
import type { SharedOpenings } from './share-openings.js';

type Read = Pick<Slice, 'stored' | 'to'>;

interface Size {
  readonly events: number;
  readonly bytes: number;
}

/** Slices of the ledger: the next one is read and opened while the database writes the one before. */
export interface Slices {
  next(after: Position | undefined, target: Position, size: Size): Promise<Read>;
  ahead(after: Position, target: Position, size: Size): void;
}

/** Opening gives the event loop its turn after this many milliseconds. */
const breathAfter = 8;

export function readAhead(deps: ProjectorDeps & { readonly openings: SharedOpenings }): Slices {
  const { ledger, openings, vault } = deps;
  let begun: { after: Position; target: Position; slice: Promise<Read> } | undefined;

  async function open({ stored }: Read): Promise<void> {
    let lastBreath = performance.now();
    for (const event of stored) {
      await openings.ahead(vault, event);
      if (performance.now() - lastBreath < breathAfter) continue;
      await breathe();
      lastBreath = performance.now();
    }
  }

  return {
    next(after, target, size) {
      const found = begun;
      begun = undefined;
      if (found && found.after === after && found.target === target) return found.slice;
      return readSlice(ledger, after, target, size.events, size.bytes);
    },
    ahead(after, target, size) {
      const slice = readSlice(ledger, after, target, size.events, size.bytes);
      // Whoever takes it hears what was wrong.
      slice.then(open).catch(() => undefined);
      begun = { after, target, slice };
    },
  };
}
