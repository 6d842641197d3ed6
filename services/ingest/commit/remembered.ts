import { hash } from 'node:crypto';
import type { MemoryEvent } from '#events/catalogue.js';
import type { Envelope } from '#events/envelope.js';
import type { MemoryRated } from '#events/memory-rated.js';
import type { VersionContent } from '#events/version-fields.js';
import type { Position } from '#ledger/ledger.js';
import { occasionOf, type Rating } from '#memory/feedback-weight.js';
import { absentMemory, afterWrite, foldMemory, outcomeOfWrite } from '#memory/fold-memory.js';
import { emptyLayers, type LayeredMap } from '#memory/layered-map.js';
import type { MemoryState } from '#memory/memory-state.js';

/** What a memory is, as its first version said: it stays, whatever a revision leaves out. */
export interface RememberedIdentity {
  readonly key?: string;
  readonly action?: string;
  readonly session?: string;
  readonly step?: string;
}

/** A rating, and a print of the note that came with it. */
export interface RememberedRating extends Rating {
  readonly note?: string | undefined;
}

/** The fold of a memory's stream, and what a writer needs beyond it. */
export interface Remembered {
  readonly state: MemoryState;
  /** What last changed what it says or how it stands. */
  readonly lastChange?: MemoryEvent['type'];
  readonly identity: RememberedIdentity;
  /** The record that the latest version was imported from. */
  readonly external: { readonly externalSource?: string; readonly externalId?: string };
  /** It was held back, and a reviewer took it away. */
  readonly rejected: boolean;
  /** It was archived when it was held back, and nothing was written to it since: released, it is archived again. */
  readonly archivedBefore: boolean;
  /** Names, as the latest version has them. */
  readonly subjects: readonly string[];
  /** By principal and occasion, the last of each. */
  readonly ratings: LayeredMap<RememberedRating>;
  /** The secret that all versions of the memory are sealed with, so that ending it ends them all. */
  readonly secretId?: string;
  /** Of the stream's last event; absent until it is stored. */
  readonly position?: Position;
}

const noRatings: Remembered['ratings'] = emptyLayers();

export function unremembered(memoryId: string): Remembered {
  return {
    state: absentMemory(memoryId),
    identity: {},
    external: {},
    rejected: false,
    archivedBefore: false,
    subjects: [],
    ratings: noRatings,
  };
}

export type RememberedEnvelope = Pick<Envelope, 'recordedAt' | 'revision' | 'request' | 'session' | 'step'> & {
  readonly principal?: string;
  readonly box?: { readonly k: string } | undefined;
};

/** (memory, event) → memory. `hash` is that of the event, base64url. What an erased memory was is forgotten, but for what it counted and answered. */
export function remember(
  memory: Remembered,
  event: MemoryEvent,
  envelope: RememberedEnvelope,
  hash: string,
  position?: Position,
): Remembered {
  const state = foldMemory(memory.state, event, envelope, hash);
  const at = position ?? memory.position;
  if (event.type === 'MemoryErased')
    return { ...unremembered(state.memoryId), state, lastChange: event.type, position: at };
  if (event.type === 'MemoryRated')
    return { ...memory, state, ratings: withRating(memory.ratings, event, envelope), position: at };
  const isVersion = event.type === 'MemoryRecorded' || event.type === 'MemoryRevised';
  return {
    state,
    lastChange: event.type,
    identity: isVersion && beginsAnew(memory) ? identityOf(event.content, envelope) : memory.identity,
    external: isVersion
      ? { externalSource: event.content.externalSource, externalId: event.content.externalId }
      : memory.external,
    rejected: event.type === 'MemoryForgotten' && memory.state.status === 'quarantined',
    archivedBefore: isArchivedBefore(memory, event),
    subjects: isVersion ? (event.content.subjects ?? []) : memory.subjects,
    ratings: memory.ratings,
    secretId: memory.secretId ?? envelope.box?.k,
    position: at,
  };
}

/**
 * The same for an event whose content is gone: an erasure follows it. It counts, and what it answered stays answered; what it said was
 * forgotten by then.
 */
export function rememberBlank(
  memory: Remembered,
  event: MemoryEvent,
  envelope: RememberedEnvelope,
  hash: string,
  position?: Position,
): Remembered {
  if (event.type !== 'MemoryRecorded' && event.type !== 'MemoryRevised')
    return { ...remember(memory, event, envelope, hash, position), secretId: undefined };
  const { version } = event.data;
  const { state } = memory;
  const { request, revision, recordedAt } = envelope;
  const status = afterWrite(state.status);
  return {
    ...unremembered(state.memoryId),
    state: {
      ...state,
      status,
      version,
      revision,
      lastHash: hash,
      lastRecordedAt: Date.parse(recordedAt),
      latest: undefined,
      spans: [],
      answered: request
        ? state.answered.with(request.key, { print: request.print, outcome: outcomeOfWrite(status), version })
        : state.answered,
    },
    lastChange: event.type,
    position,
  };
}

function withRating(
  ratings: Remembered['ratings'],
  { data, content }: MemoryRated,
  { principal = '', recordedAt, revision }: RememberedEnvelope,
): Remembered['ratings'] {
  const { outcome, version, recallId } = data;
  const rating = { principal, outcome, version, recallId, at: recordedAt, order: revision };
  // Of what was erased later there is no content.
  return ratings.with(ratingKey(rating), { ...rating, note: notePrint(content?.note) });
}

/** A principal has one rating of a memory per occasion. */
export function ratingKey(rating: Pick<Rating, 'principal' | 'recallId' | 'at'>): string {
  return JSON.stringify([rating.principal, occasionOf(rating)]);
}

/** Tells one note from another, and is kept in its place: a few thousand memories are held in hand. */
export function notePrint(note: string | undefined): string | undefined {
  return note === undefined ? undefined : hash('sha256', note, 'base64url');
}

function isArchivedBefore({ state, archivedBefore }: Remembered, { type }: MemoryEvent): boolean {
  if (type === 'MemoryQuarantined') return state.status === 'archived';
  return type === 'MemoryArchived' && state.status === 'quarantined' && archivedBefore;
}

/** The next version is the first that says what the memory is: of all, or after an erasure. */
function beginsAnew({ state }: Remembered): boolean {
  return state.status === 'absent' || state.status === 'erased';
}

function identityOf(
  { key, action }: Pick<VersionContent, 'key' | 'action'>,
  envelope: RememberedEnvelope,
): RememberedIdentity {
  const step = action === undefined ? {} : { session: envelope.session, step: envelope.step };
  return { key, action, ...step };
}
