import type { MemoryEvent } from '#events/catalogue.js';
import type { Envelope } from '#events/envelope.js';
import type { VersionContent } from '#events/version-fields.js';
import type { Position } from '#ledger/ledger.js';
import { absentMemory, foldMemory } from '#memory/fold-memory.js';
import type { MemoryState } from '#memory/memory-state.js';

/** What a memory is, as its first version said: it stays, whatever a revision leaves out. */
export interface RememberedIdentity {
  readonly key?: string;
  readonly action?: string;
  readonly session?: string;
  readonly step?: string;
}

/** The fold of a memory's stream, and what a writer needs beyond it. */
export interface Remembered {
  readonly state: MemoryState;
  readonly lastChange?: MemoryEvent['type'];
  readonly identity: RememberedIdentity;
  /** The record that the latest version was imported from. */
  readonly external: { readonly externalSource?: string; readonly externalId?: string };
  /** Names, as the latest version has them. */
  readonly subjects: readonly string[];
  /** The secret that all versions of the memory are sealed with, so that ending it ends them all. */
  readonly secretId?: string;
  /** Of the stream's last event; absent until it is stored. */
  readonly position?: Position;
}

export function unremembered(memoryId: string): Remembered {
  return { state: absentMemory(memoryId), identity: {}, external: {}, subjects: [] };
}

export type RememberedEnvelope = Pick<Envelope, 'recordedAt' | 'revision' | 'request' | 'session' | 'step'> & {
  readonly box?: { readonly k: string } | undefined;
};

/** (memory, event) → memory. `hash` is that of the event, base64url. */
export function remember(
  memory: Remembered,
  event: MemoryEvent,
  envelope: RememberedEnvelope,
  hash: string,
  position?: Position,
): Remembered {
  const isVersion = event.type === 'MemoryRecorded' || event.type === 'MemoryRevised';
  return {
    state: foldMemory(memory.state, event, envelope, hash),
    lastChange: event.type,
    identity: event.type === 'MemoryRecorded' ? identityOf(event.content, envelope) : memory.identity,
    external: isVersion
      ? { externalSource: event.content.externalSource, externalId: event.content.externalId }
      : memory.external,
    subjects: isVersion ? (event.content.subjects ?? []) : memory.subjects,
    secretId: memory.secretId ?? envelope.box?.k,
    position: position ?? memory.position,
  };
}

function identityOf(
  { key, action }: Pick<VersionContent, 'key' | 'action'>,
  envelope: RememberedEnvelope,
): RememberedIdentity {
  const step = action === undefined ? {} : { session: envelope.session, step: envelope.step };
  return { key, action, ...step };
}
