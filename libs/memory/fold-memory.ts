import type { MemoryEvent } from '#events/catalogue.js';
import type { Envelope } from '#events/envelope.js';
import type { VersionData } from '#events/version-fields.js';
import { type Answered, noRequests } from './answered-requests.js';
import type { MemoryState } from './memory-state.js';
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
      return {
        ...next,
        status: 'current',
        version: data.version,
        latest,
        // What was retracted stays retracted: a write after a retraction starts the timeline anew.
        spans: assign(state.status === 'retracted' ? [] : state.spans, {
          version: data.version,
          from: latest.validFrom,
          to: latest.validTo,
        }),
        answered: remember(state, envelope, 'stored', data.version),
      };
    }
    case 'MemoryForgotten':
      return { ...next, status: 'retracted', answered: remember(state, envelope, 'forgotten', state.version) };
    case 'MemoryRestored':
      return { ...next, status: 'current', answered: remember(state, envelope, 'restored', state.version) };
  }
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
