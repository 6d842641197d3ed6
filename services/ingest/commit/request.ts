import type { Caller } from '#contract/caller.js';
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
function knownRequest(
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

/** Who asks, and by which call, as far as it may be made again. */
export type Asking = Pick<Caller, 'principal' | 'callId'>;

/**
 * The idempotency key of a call that brought none: the call's own id, so that a try whose predecessor's answer was lost is answered as
 * that one was. Whoever made the call may give it as the key later on, to find out what came of it.
 * @param place of an item in its batch
 */
export function callKey({ callId }: Asking, place?: number): string | undefined {
  if (callId === undefined) return undefined;
  return place === undefined ? callId : `${callId}.${place}`;
}

/** A request by its own idempotency key, else by that of its call, which does not stay on record. */
export function askedRequest(
  keys: BankKeys,
  asking: Asking,
  idempotencyKey: string | undefined,
  asked: () => string,
): KnownRequest | undefined {
  if (idempotencyKey !== undefined) return knownRequest(keys, asking.principal, idempotencyKey, asked);
  return withoutKey(knownRequest(keys, asking.principal, callKey(asking), asked));
}

function withoutKey(request: KnownRequest | undefined): KnownRequest | undefined {
  return request && { ...request, idempotencyKey: undefined };
}

/** One of the events that a request about several memories leads to: recognised as the whole is, with an id of its own. */
export function requestIn(request: KnownRequest, keys: BankKeys, memoryId: string): KnownRequest {
  const eventId = uuidV8(keyedDigest(keys.identityKey, 'event/request-in', [keys.bank, request.key, memoryId]));
  return { ...request, eventId };
}

/**
 * A write's request. An imported record is one too, by its source and id: importing it again finds it answered, even if
 * the memory was revised or retracted since; but what has changed at the source is a write like any other.
 * @param callKey stands for an idempotency key where there is none
 */
export function requestOf(
  keys: BankKeys,
  principal: string,
  item: WriteItem,
  texts: { readonly content: string; readonly metadata?: string },
  from?: ImportedFrom,
  callKey?: string,
): KnownRequest | undefined {
  if (item.idempotency_key === undefined && callKey === undefined && !from) return undefined;
  const asked = () => {
    const { idempotency_key: _key, ...rest } = item;
    return JSON.stringify(Object.entries({ ...rest, ...texts }).sort(([one], [other]) => (one < other ? -1 : 1)));
  };
  if (!from && item.idempotency_key === undefined) return withoutKey(knownRequest(keys, principal, callKey, asked));
  if (!from) return knownRequest(keys, principal, item.idempotency_key, asked);
  return {
    key: keyedHash(keys.identityKey, 'request/import', from.source, from.id, String(from.occurrence ?? 1)),
    print: keyedHash(keys.identityKey, 'print', asked()),
    idempotencyKey: item.idempotency_key,
  };
}
