import type { ImportedFrom, WriteItem } from '#contract/write.js';
import { keyedDigest, keyedHash } from '#events/keyed-hash.js';
import { uuidV8 } from '#events/memory-identity.js';
import type { BankKeys } from '#sealing/vault.js';

/** A request that can be recognised when it comes again. */
export interface KnownRequest {
  /** Keyed hash of the idempotency key. */
  readonly key: string;
  /** Keyed hash of all that was asked. */
  readonly print: string;
  /** The id of the event that the request leads to: where two memories are asked for by one key, the ledger refuses the second. */
  readonly eventId?: string;
  /** The original key; sealed. */
  readonly idempotencyKey?: string;
}

/** A request by an idempotency key, as far as there is one. `asked` is JSON text of all else that was asked. */
export function knownRequest(
  keys: BankKeys,
  principal: string,
  idempotencyKey: string | undefined,
  asked: () => string,
): KnownRequest | undefined {
  if (idempotencyKey === undefined) return undefined;
  return {
    key: keyedHash(keys.identityKey, 'request', principal, idempotencyKey),
    print: keyedHash(keys.identityKey, 'print', asked()),
    eventId: uuidV8(keyedDigest(keys.identityKey, 'event/request', [keys.bank, principal, idempotencyKey])),
    idempotencyKey,
  };
}

/** One of the events that a request about several memories leads to: recognised as the whole is, with an id of its own. */
export function requestIn(request: KnownRequest, keys: BankKeys, memoryId: string): KnownRequest {
  const eventId = uuidV8(keyedDigest(keys.identityKey, 'event/request-in', [keys.bank, request.key, memoryId]));
  return { ...request, eventId };
}

/**
 * A write's request. An imported record is one too, by its source and id: importing it again finds it answered, even if
 * the memory was revised or retracted since; but what has changed at the source is a write like any other.
 */
export function requestOf(
  keys: BankKeys,
  principal: string,
  item: WriteItem,
  texts: { readonly content: string; readonly metadata?: string },
  from?: ImportedFrom,
): KnownRequest | undefined {
  if (item.idempotency_key === undefined && !from) return undefined;
  const asked = () => {
    const { idempotency_key: _key, ...rest } = item;
    return JSON.stringify(Object.entries({ ...rest, ...texts }).sort(([one], [other]) => (one < other ? -1 : 1)));
  };
  if (!from) return knownRequest(keys, principal, item.idempotency_key, asked);
  return {
    key: keyedHash(keys.identityKey, 'request/import', from.source, from.id, String(from.occurrence ?? 1)),
    print: keyedHash(keys.identityKey, 'print', asked()),
    idempotencyKey: item.idempotency_key,
  };
}
