import { HindsightError, isHindsightError } from '#contract/errors.js';
import { type AnyEvent, catalogue, type EventType, isEventType } from '#events/catalogue.js';
import { decodeEnvelope, type Envelope } from '#events/envelope.js';
import { eventHashBase64url } from '#events/hash.js';
import { keyedHash } from '#events/keyed-hash.js';
import { readEvent, UnknownEventError } from '#events/upcast.js';
import type { StoredEvent } from '#ledger/ledger.js';
import type { ErasedLater } from '#sealing/erased-later.js';
import { type OpenedEvent, openEvent } from '#sealing/open-event.js';
import type { Vault } from '#sealing/vault.js';
import { nothingDrawn, type ProjectedEvent } from '../projections/projection.js';
import { hashDrawn } from './hash-drawn.js';
import { hashFound } from './hash-found.js';
import { mayChangeAnswers } from './may-change-answers.js';

/** Stored bytes that are not those that were hashed. */
export class HashMismatchError extends Error {
  override readonly name = 'HashMismatchError';
}

/** How an event is prepared. */
export interface Preparing {
  /** Without it nothing is opened, and nothing is drawn from contents. */
  readonly opens?: boolean | undefined;
  /** Tells an event that was erased, and is then blank, from one whose key is lost. */
  readonly erasedLater?: ErasedLater | undefined;
}

/** Events that change no answer, and that some projection looks at. */
const looked: ReadonlySet<string> = new Set<EventType>(['RecallServed']);

/** Of these, nothing is drawn from the content, and it may have a key that ends with what it is about. */
const leftSealed: ReadonlySet<string> = new Set<EventType>(['RecallServed', 'ErasureOrdered']);

/**
 * The event with all that projections draw from its content; undefined for one that changes no answer and that none looks at.
 * @throws HashMismatchError · UnknownEventError · what `openEvent` throws
 */
export async function prepareEvent(
  vault: Vault,
  stored: StoredEvent,
  { opens = true, erasedLater }: Preparing = {},
): Promise<ProjectedEvent | undefined> {
  if (!opens || leftSealed.has(stored.type) || isPassedOver(stored)) return prepareSealed(stored);
  const hash = insistOnHash(stored);
  const { envelope, event, indexKey } = await openUnlessErased(vault, stored, erasedLater);
  if (event.type === 'MemoryEnriched' && event.content && indexKey)
    return { ...undrawn(stored, hash, envelope, event), found: hashFound(indexKey, event.content) };
  if (!isVersion(event) || !event.content || !indexKey) return undrawn(stored, hash, envelope, event);
  const { content } = event;
  const drawn = hashDrawn(indexKey, content, envelope.session !== undefined);
  return {
    position: stored.position,
    hash,
    envelope,
    event,
    keyHash: content.key === undefined ? undefined : keyedHash(indexKey, 'slot', content.key),
    tagHashes: content.tags?.map((tag) => keyedHash(indexKey, 'tag', tag)) ?? [],
    terms: drawn.terms,
    frequencies: drawn.frequencies,
    length: drawn.length,
    speaker: drawn.speaker,
    entities: drawn.entities,
    flags: drawn.flags,
    keyLength: drawn.keyLength,
  };
}

/**
 * The event without what is drawn from contents, which needs no key and waits for nothing; undefined as of `prepareEvent`.
 * @throws HashMismatchError · UnknownEventError · ZodError or SyntaxError where the bytes are no event
 */
export function prepareSealed(stored: StoredEvent): ProjectedEvent | undefined {
  const hash = insistOnHash(stored);
  if (isPassedOver(stored)) {
    refuseNewer(stored);
    return undefined;
  }
  if (!mayChangeAnswers(stored)) refuseNewer(stored);
  const { envelope, event } = leaveSealed(stored);
  return undrawn(stored, hash, envelope, event);
}

/** Whether it changes no answer and none looks at it. */
function isPassedOver(stored: StoredEvent): boolean {
  return !mayChangeAnswers(stored) && !looked.has(stored.type);
}

/** The event's hash in base64url. @throws HashMismatchError */
function insistOnHash({ id, bytes, hash }: StoredEvent): string {
  const told = Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('base64url');
  if (eventHashBase64url(bytes) === told) return told;
  throw new HashMismatchError(`the bytes of event ${id} are not those that were hashed`);
}

/** Member by member, as above: an object that is spread into another takes ten times as long to make. */
function undrawn({ position }: StoredEvent, hash: string, envelope: Envelope, event: AnyEvent): ProjectedEvent {
  return {
    position,
    hash,
    envelope,
    event,
    keyHash: nothingDrawn.keyHash,
    tagHashes: nothingDrawn.tagHashes,
    terms: nothingDrawn.terms,
    frequencies: nothingDrawn.frequencies,
    length: nothingDrawn.length,
    speaker: nothingDrawn.speaker,
    entities: nothingDrawn.entities,
    flags: nothingDrawn.flags,
    keyLength: nothingDrawn.keyLength,
  };
}

function isVersion(event: AnyEvent): event is Extract<AnyEvent, { type: 'MemoryRecorded' | 'MemoryRevised' }> {
  return event.type === 'MemoryRecorded' || event.type === 'MemoryRevised';
}

interface Prepared extends OpenedEvent {
  /** Of the bank of a version or of what was found in one; undefined where nothing was opened. */
  readonly indexKey?: Uint8Array;
}

async function openUnlessErased(
  vault: Vault,
  stored: StoredEvent,
  erasedLater: ErasedLater | undefined,
): Promise<Prepared> {
  try {
    const opened = await openEvent(vault, stored.bytes);
    if (!isVersion(opened.event) && opened.event.type !== 'MemoryEnriched') return opened;
    const { bank } = opened.envelope;
    // Known ones only: keys made anew for a bank that was deleted a moment ago would make all of it look damaged.
    const keys = await vault.knownBankKeys(bank);
    if (keys) return { ...opened, indexKey: keys.indexKey };
    throw new HindsightError('key_not_found', `The keys of bank ${bank} are not in the key store.`, { bank });
  } catch (error) {
    if (!erasedLater || !isHindsightError(error)) throw error;
    const { stream, revision, bytes } = stored;
    const { subjects } = decodeEnvelope(bytes);
    if (await erasedLater({ stream, revision, subjects }, error)) return leaveSealed(stored);
    throw error;
  }
}

/** The envelope and what is plain of the event. */
function leaveSealed({ bytes }: StoredEvent): Prepared {
  const envelope = decodeEnvelope(bytes);
  return { envelope, event: readEvent(envelope, undefined) };
}

/**
 * Looks at no more than what says which release wrote an event: one that a newer release wrote is never passed over, and
 * never taken for a damaged one.
 * @throws UnknownEventError
 */
export function refuseNewer(stored: StoredEvent): void {
  const { v = 1, schema = 1, box } = formatsOf(stored.bytes);
  const known = isEventType(stored.type) ? catalogue[stored.type].schema : 0;
  if (v === 1 && schema <= known && (box?.f ?? 1) === 1) return;
  throw new UnknownEventError(
    `event ${stored.id} is a ${stored.type} of schema ${schema} in format ${v}, which this release does not know: install the release that wrote it`,
  );
}

function formatsOf(bytes: Uint8Array): { v?: number; schema?: number; box?: { f?: number } } {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
    return parsed !== null && typeof parsed === 'object' ? parsed : {};
  } catch {
    return {};
  }
}
