import { hash } from 'node:crypto';

/** Names the whole recipe: SHA-256 over domain tag, a zero byte, one version byte, then the stored bytes. Written in every event. */
export const hashAlgorithm = 'hl-sha256-1';

const prefix = Buffer.from('hindsight-ledger/event\0\x01', 'utf8');

/** Most events are hashed here, behind the prefix, rather than in a buffer of their own. */
const room = Buffer.alloc(8 * 1024);
room.set(prefix);

/**
 * The hash of an event's stored bytes (32 bytes). The domain tag keeps an event's hash from ever being
 * mistaken for that of a Merkle node or a key check.
 */
export function eventHash(bytes: Uint8Array): Uint8Array {
  return Buffer.from(eventHashText(bytes), 'latin1');
}

/** The same as a text of 32 characters, one per byte (`latin1`): for what hashes a whole ledger, and keeps millions of them. */
export function eventHashText(bytes: Uint8Array): string {
  return hash('sha256', behindPrefix(bytes), 'binary');
}

/** The same in base64url, as rows have it. */
export function eventHashBase64url(bytes: Uint8Array): string {
  return hash('sha256', behindPrefix(bytes), 'base64url');
}

/** Valid until the next call. */
function behindPrefix(bytes: Uint8Array): Uint8Array {
  const length = prefix.length + bytes.length;
  if (length > room.length) return Buffer.concat([prefix, bytes]);
  room.set(bytes, prefix.length);
  return room.subarray(0, length);
}

/** The bytes of a text and the hash of an event that they are, with both behind the prefix in one buffer: nothing is copied. */
export function hashedBytes(text: string): { readonly bytes: Uint8Array; readonly hash: Uint8Array } {
  const whole = Buffer.allocUnsafe(prefix.length + Buffer.byteLength(text, 'utf8'));
  whole.set(prefix);
  whole.write(text, prefix.length, 'utf8');
  return { bytes: whole.subarray(prefix.length), hash: digestOf(whole) };
}

/** By way of a text: as a buffer, each digest would have memory of its own outside of the heap, at twice the cost. */
function digestOf(bytes: Uint8Array): Uint8Array {
  return Buffer.from(hash('sha256', bytes, 'binary'), 'latin1');
}
