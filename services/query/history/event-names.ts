import type { z } from 'zod';
import type { historyEntry } from '#contract/history.js';

/** That it was served is no event of the memory. */
type Happened = Exclude<z.infer<typeof historyEntry>['event'], 'served'>;

const names: Readonly<Record<string, Happened>> = {
  MemoryRecorded: 'recorded',
  MemoryRevised: 'revised',
  MemoryForgotten: 'forgotten',
  MemoryRestored: 'restored',
  MemoryUnarchived: 'restored',
  MemoryArchived: 'archived',
  MemoryQuarantined: 'quarantined',
  MemoryReleased: 'released',
  MemoryRated: 'rated',
  MemoryErased: 'erased',
};

/** What an event of a memory is called in answers. @throws Error for one that no release has projected as a memory's */
export function happened(type: string): Happened {
  const name = names[type];
  if (name === undefined) throw new Error(`${type} is no event of a memory.`);
  return name;
}
