import type { AnyEvent, MemoryEvent, MemoryTurned } from '#events/catalogue.js';
import type { Envelope } from '#events/envelope.js';
import type { VersionData } from '#events/version-fields.js';
import { type Answered, noRequests } from './answered-requests.js';
import type { MemoryState, MemoryStatus } from './memory-state.js';
import { assign } from './valid-time.js';
import { versionState } from './version-state.js';

export function absentMemory(memoryId: string): MemoryState {
  return {
    memoryId,
    status: 'absent',
    version: 0,
    revision: -1,
    lastHash: null,
    lastRecordedAt: 0,
    spans: [],
    answered: noRequests,
  };
}

/** How what a memory said is held, once it says something. */
export type HeldStatus = Exclude<MemoryStatus, 'absent' | 'erased'>;

/** The parts of an envelope that a fold reads. */
export type FoldedEnvelope = Pick<Envelope, 'recordedAt' | 'revision' | 'request'>;

/** (state, event) → state. `hash` is that of the event, base64url. */
export function foldMemory(
  state: MemoryState,
  event: MemoryEvent,
  envelope: FoldedEnvelope,
  hash: string,
): MemoryState {
  const next = {
    ...state,
    revision: envelope.revision,
    lastHash: hash,
    lastRecordedAt: Date.parse(envelope.recordedAt),
  };
  switch (event.type) {
    case 'MemoryRecorded':
    case 'MemoryRevised': {
      const { data, content } = event;
      const latest = versionState(data, content, validFromOf(data, envelope.recordedAt));
      const status = afterWrite(state.status);
      return {
        ...next,
        status,
        version: data.version,
        latest,
        spans: assign(startsAnew(state.status) ? [] : state.spans, {
          version: data.version,
          from: latest.validFrom,
          to: latest.validTo,
        }),
        answered: remember(state, envelope, outcomeOfWrite(status), data.version),
      };
    }
    case 'MemoryErased':
      return { ...next, status: 'erased', latest: undefined, spans: [], erasedThrough: state.version };
    case 'MemoryRated':
      // It says how the memory fared; what it says, and how it stands, stay as they were.
      return { ...next, answered: remember(state, envelope, 'rated', event.data.version) };
    default: {
      const { status, outcome } = turns[event.type];
      return { ...next, status, answered: remember(state, envelope, outcome, state.version) };
    }
  }
}

/** What an event that brings no version makes of a memory. */
export const turns: Readonly<
  Record<MemoryTurned['type'], { readonly status: HeldStatus; readonly outcome: Answered['outcome'] }>
> = {
  MemoryForgotten: { status: 'retracted', outcome: 'forgotten' },
  MemoryRestored: { status: 'current', outcome: 'restored' },
  MemoryArchived: { status: 'archived', outcome: 'archived' },
  MemoryUnarchived: { status: 'current', outcome: 'restored' },
  MemoryQuarantined: { status: 'quarantined', outcome: 'quarantined' },
  MemoryReleased: { status: 'current', outcome: 'released' },
};

/** Whether an event turns a memory and brings no version. */
export function isTurn(event: AnyEvent): event is MemoryTurned {
  return Object.hasOwn(turns, event.type);
}

/**
 * Whether a new version begins the timeline anew: what was taken back or erased does not come back with it. What was only laid aside goes on,
 * and so does what is held back.
 */
export function startsAnew(status: MemoryStatus): boolean {
  return status === 'retracted' || status === 'erased';
}

/** How a memory stands once a version was written to it: what is held back for review stays so, whoever writes. */
export function afterWrite(status: MemoryStatus): 'current' | 'quarantined' {
  return status === 'quarantined' ? 'quarantined' : 'current';
}

/** What a write is answered with. @param status of the memory after it */
export function outcomeOfWrite(status: ReturnType<typeof afterWrite>): Answered['outcome'] {
  return status === 'quarantined' ? 'quarantined' : 'stored';
}

/** `valid_from` is what is given, else `occurred_at`, else `recorded_at`. Milliseconds. */
export function validFromOf(data: Pick<VersionData, 'validFrom' | 'occurredAt'>, recordedAt: string): number {
  return Date.parse(data.validFrom ?? data.occurredAt ?? recordedAt);
}

function remember(
  state: MemoryState,
  envelope: FoldedEnvelope,
  outcome: Answered['outcome'],
  version: number,
): MemoryState['answered'] {
  if (!envelope.request) return state.answered;
  const { key, print } = envelope.request;
  return state.answered.with(key, { print, outcome, version });
}
