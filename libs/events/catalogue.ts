import { type AuditRead, auditRead } from './audit-read.js';
import { type BankConfigured, bankConfigured } from './bank-configured.js';
import { type BankCreated, bankCreated } from './bank-created.js';
import { type BankErased, bankErased } from './bank-erased.js';
import { type ErasureCompleted, erasureCompleted } from './erasure-completed.js';
import { type ErasureOrdered, erasureOrdered } from './erasure-ordered.js';
import { type KeysRotated, keysRotated } from './keys-rotated.js';
import { type LedgerSealed, ledgerSealed } from './ledger-sealed.js';
import { type MemoryArchived, memoryArchived } from './memory-archived.js';
import { type MemoryEnriched, memoryEnriched } from './memory-enriched.js';
import { type MemoryErased, memoryErased } from './memory-erased.js';
import { type MemoryForgotten, memoryForgotten } from './memory-forgotten.js';
import { type MemoryQuarantined, memoryQuarantined } from './memory-quarantined.js';
import { type MemoryRated, memoryRated } from './memory-rated.js';
import { type MemoryRecorded, memoryRecorded } from './memory-recorded.js';
import { type MemoryReleased, memoryReleased } from './memory-released.js';
import { type MemoryRestored, memoryRestored } from './memory-restored.js';
import { type MemoryRevised, memoryRevised } from './memory-revised.js';
import { type MemoryUnarchived, memoryUnarchived } from './memory-unarchived.js';
import { type RecallServed, recallServed } from './recall-served.js';
import { type SubjectAliased, subjectAliased } from './subject-aliased.js';
import { type SubjectErased, subjectErased } from './subject-erased.js';

/** What turns a memory from one status to another and brings no version. */
export type MemoryTurned =
  | MemoryForgotten
  | MemoryRestored
  | MemoryArchived
  | MemoryUnarchived
  | MemoryQuarantined
  | MemoryReleased;
export type MemoryEvent = MemoryRecorded | MemoryRevised | MemoryTurned | MemoryRated | MemoryErased;
/** What a model found out about a memory, in a stream beside the memory's. */
export type UnderstandingEvent = MemoryEnriched;
export type BankEvent = BankCreated | BankConfigured | BankErased | ErasureOrdered | ErasureCompleted;
export type SubjectEvent = SubjectErased | SubjectAliased;
export type AnyEvent =
  | MemoryEvent
  | UnderstandingEvent
  | BankEvent
  | SubjectEvent
  | RecallServed
  | AuditRead
  | LedgerSealed
  | KeysRotated;

/** Every event that this release knows. A type or a schema version that is not here stops a projector: it is never skipped. */
export const catalogue = {
  MemoryRecorded: memoryRecorded,
  MemoryRevised: memoryRevised,
  MemoryForgotten: memoryForgotten,
  MemoryRestored: memoryRestored,
  MemoryArchived: memoryArchived,
  MemoryUnarchived: memoryUnarchived,
  MemoryQuarantined: memoryQuarantined,
  MemoryReleased: memoryReleased,
  MemoryErased: memoryErased,
  MemoryRated: memoryRated,
  MemoryEnriched: memoryEnriched,
  RecallServed: recallServed,
  AuditRead: auditRead,
  BankCreated: bankCreated,
  BankConfigured: bankConfigured,
  BankErased: bankErased,
  ErasureOrdered: erasureOrdered,
  ErasureCompleted: erasureCompleted,
  SubjectAliased: subjectAliased,
  SubjectErased: subjectErased,
  LedgerSealed: ledgerSealed,
  KeysRotated: keysRotated,
} as const;

export type EventType = keyof typeof catalogue;

export function isEventType(type: string): type is EventType {
  return Object.hasOwn(catalogue, type);
}
