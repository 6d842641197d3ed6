import { type BankCreated, bankCreated } from './bank-created.js';
import { type MemoryForgotten, memoryForgotten } from './memory-forgotten.js';
import { type MemoryRecorded, memoryRecorded } from './memory-recorded.js';
import { type MemoryRestored, memoryRestored } from './memory-restored.js';
import { type MemoryRevised, memoryRevised } from './memory-revised.js';
import { type RecallServed, recallServed } from './recall-served.js';

export type MemoryEvent = MemoryRecorded | MemoryRevised | MemoryForgotten | MemoryRestored;
export type AnyEvent = MemoryEvent | RecallServed | BankCreated;

/** Every event that this release knows. A type or a schema version that is not here stops a projector: it is never skipped. */
export const catalogue = {
  MemoryRecorded: memoryRecorded,
  MemoryRevised: memoryRevised,
  MemoryForgotten: memoryForgotten,
  MemoryRestored: memoryRestored,
  RecallServed: recallServed,
  BankCreated: bankCreated,
} as const;

export type EventType = keyof typeof catalogue;

export function isEventType(type: string): type is EventType {
  return Object.hasOwn(catalogue, type);
}
