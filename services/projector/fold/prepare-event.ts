import { catalogue, isEventType } from '#events/catalogue.js';
import { eventHash } from '#events/hash.js';
import { keyedHash } from '#events/keyed-hash.js';
import { UnknownEventError } from '#events/upcast.js';
import type { StoredEvent } from '#ledger/ledger.js';
import { openEvent } from '#sealing/open-event.js';
import type { Vault } from '#sealing/vault.js';
import { analyseDocument } from '#understanding/terms/analyse-document.js';
import { termHash } from '#understanding/terms/term-hash.js';
import type { ProjectedEvent } from '../projections/projection.js';
import { mayChangeAnswers } from './may-change-answers.js';
import { searchableText } from './searchable-text.js';

/** Stored bytes that are not those that were hashed. */
export class HashMismatchError extends Error {
  override readonly name = 'HashMismatchError';
}

/**
 * The event with all that projections draw from its content; undefined for one that changes no answer.
 * @throws HashMismatchError · UnknownEventError · what `openEvent` throws
 */
export async function prepareEvent(vault: Vault, stored: StoredEvent): Promise<ProjectedEvent | undefined> {
  if (Buffer.compare(eventHash(stored.bytes), stored.hash) !== 0)
    throw new HashMismatchError(`the bytes of event ${stored.id} are not those that were hashed`);
  if (!mayChangeAnswers(stored)) {
    refuseNewer(stored);
    return undefined;
  }
  const { envelope, event } = await openEvent(vault, stored.bytes);
  const { position } = stored;
  const hash = Buffer.from(stored.hash).toString('base64url');
  if (event.type !== 'MemoryRecorded' && event.type !== 'MemoryRevised')
    return {
      position,
      hash,
      envelope,
      event,
      keyHash: undefined,
      tagHashes: [],
      terms: [],
      frequencies: [],
      length: 0,
    };
  const { content } = event;
  const { indexKey } = await vault.bankKeys(envelope.bank);
  const { counts, length } = analyseDocument(searchableText(content));
  const terms: string[] = [];
  const frequencies: number[] = [];
  counts.forEach((tf, term) => {
    terms.push(termHash(indexKey, term));
    frequencies.push(tf);
  });
  return {
    position,
    hash,
    envelope,
    event,
    keyHash: content.key === undefined ? undefined : keyedHash(indexKey, 'slot', content.key),
    tagHashes: content.tags?.map((tag) => keyedHash(indexKey, 'tag', tag)) ?? [],
    terms,
    frequencies,
    length,
  };
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
