import { keyedDigest } from './keyed-hash.js';

/** What makes two writes the same memory, strongest first. A memory's natural key never changes. */
export type NaturalKey =
  | { readonly by: 'slot'; readonly key: string }
  | { readonly by: 'step'; readonly session: string; readonly step: string; readonly action: string }
  | { readonly by: 'import'; readonly source: string; readonly id: string }
  | { readonly by: 'request'; readonly principal: string; readonly idempotencyKey: string };

/**
 * The id of the memory with this natural key: a UUIDv8 (RFC 9562 §5.8) of a keyed hash, so that two processes that write it
 * first at the same moment meet in one stream, and nobody without the bank's identity key can guess it.
 */
export function memoryIdOf(identityKey: Uint8Array, bank: string, natural: NaturalKey): string {
  return uuidV8(keyedDigest(identityKey, `memory/${natural.by}`, [bank, ...partsOf(natural)]));
}

function partsOf(natural: NaturalKey): string[] {
  switch (natural.by) {
    case 'slot':
      return [natural.key];
    case 'step':
      return [natural.session, natural.step, natural.action];
    case 'import':
      return [natural.source, natural.id];
    case 'request':
      return [natural.principal, natural.idempotencyKey];
  }
}

/** The first 16 bytes of a digest as a UUID of version 8, variant 10. */
export function uuidV8(digest: Uint8Array): string {
  const bytes = Buffer.from(digest.subarray(0, 16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
