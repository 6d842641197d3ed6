import { hash } from 'node:crypto';

/** Of SHA-256, in bytes: the block that HMAC pads its key to, and the digest. */
const block = 64;
const digest = 32;

/** HMAC-SHA-256 under one key, of messages up to `room` bytes. Keeps its buffers: the result is read before the next call. */
type Mac = (message: Uint8Array) => string;

/**
 * Derives 32-byte keys by HKDF-SHA-256 (RFC 5869) under one salt and info. Two HMACs of two one-shot hashes each: a
 * quarter of the cost of `hkdfSync`, which sets a job up for every call (docs/decisions/0004-keys.md).
 * @returns a function of the input keying material
 */
export function hkdfDeriver(salt: Uint8Array, info: string): (secret: Uint8Array) => Uint8Array {
  const extract = hmac(salt, 128);
  // One block of output is all that 32 bytes need: T(1) = HMAC(PRK, info ‖ 0x01).
  const expandInput = Buffer.from(`${info}\x01`, 'latin1');
  const prk = Buffer.alloc(digest);
  return (secret) => {
    prk.write(extract(secret), 'latin1');
    const derived = Buffer.alloc(digest);
    derived.write(hmac(prk, expandInput.length)(expandInput), 'latin1');
    prk.fill(0);
    return derived;
  };
}

function hmac(key: Uint8Array, room: number): Mac {
  const padded = Buffer.alloc(block);
  if (key.length > block) padded.write(hash('sha256', key, 'binary'), 'latin1');
  else padded.set(key);
  const inner = Buffer.allocUnsafe(block + room);
  const outer = Buffer.allocUnsafe(block + digest);
  for (let at = 0; at < block; at++) {
    inner[at] = padded[at]! ^ 0x36;
    outer[at] = padded[at]! ^ 0x5c;
  }
  return (message) => {
    if (message.length > room) throw new RangeError(`${message.length} bytes do not fit in ${room}`);
    inner.set(message, block);
    outer.write(hash('sha256', inner.subarray(0, block + message.length), 'binary'), block, 'latin1');
    return hash('sha256', outer, 'binary');
  };
}
