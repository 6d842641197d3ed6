import { hash } from 'node:crypto';
import { canonicalJson, type Json } from '#events/canonical.js';
import type { MemoryEvent } from '#events/catalogue.js';
import type { Envelope } from '#events/envelope.js';
import type { VersionContent, VersionData } from '#events/version-fields.js';
import { type Answered, noRequests } from './answered-requests.js';
import type { MemoryState, VersionState } from './memory-state.js';
import { assign } from './valid-time.js';

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
      const from = validFromOf(data, envelope.recordedAt);
      const to = data.validTo === undefined ? Infinity : Date.parse(data.validTo);
      return {
        ...next,
        status: 'current',
        version: data.version,
        latest: versionState(data, content),
        // What was retracted stays retracted: a write after a retraction starts the timeline anew.
        spans: assign(state.status === 'retracted' ? [] : state.spans, { version: data.version, from, to }),
        answered: remember(state, envelope, 'stored', data.version),
      };
    }
    case 'MemoryForgotten':
      return { ...next, status: 'retracted', answered: remember(state, envelope, 'forgotten', state.version) };
    case 'MemoryRestored':
      return { ...next, status: 'current', answered: remember(state, envelope, 'restored', state.version) };
  }
}

/** `valid_from` is what is given, else `occurred_at`, else `recorded_at` (DESIGN §6). Milliseconds. */
export function validFromOf(data: Pick<VersionData, 'validFrom' | 'occurredAt'>, recordedAt: string): number {
  return Date.parse(data.validFrom ?? data.occurredAt ?? recordedAt);
}

function versionState(data: VersionData, content: VersionContent): VersionState {
  return {
    version: data.version,
    kind: data.kind,
    print: versionPrint(data, content),
    expiresAt: data.expiresAt === undefined ? Infinity : Date.parse(data.expiresAt),
  };
}

/** Equal prints mean that a write would change nothing: all that a version says, but its number and the writer's idempotency key. */
export function versionPrint(data: VersionData, content: VersionContent): string {
  const { version: _version, memoryId: _id, ...said } = data;
  const { idempotencyKey: _key, ...wrote } = content;
  return hash('sha256', canonicalJson([said, wrote] as unknown as Json), 'hex');
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
