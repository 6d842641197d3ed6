import { hash } from 'node:crypto';

/** Of SHA-256, in bytes: the block that HMAC pads its key to, and the digest. */
const block = 64;
const digest = 32;

/** HMAC-SHA-256 under one key at a time, of messages up to `room` bytes, in buffers of its own. */
interface Mac {
  rekey(key: Uint8Array): void;
  /** One byte a character. */
  of(message: Uint8Array): string;
}

/**
 * Derives 32-byte keys by HKDF-SHA-256 (RFC 5869) under one salt and info. Two HMACs of two one-shot hashes each: a
 * quarter of the cost of `hkdfSync`, which sets a job up for every call (docs/decisions/0004-keys.md).
 * @returns a function of the input keying material
 */
export function hkdfDeriver(salt: Uint8Array, info: string): (secret: Uint8Array) => Uint8Array {
  const extract = mac(128);
  extract.rekey(salt);
  // One block of output is all that 32 bytes need: T(1) = HMAC(PRK, info ‖ 0x01).
  const expandInput = Buffer.from(`${info}\x01`, 'latin1');
  const expand = mac(expandInput.length);
  const prk = Buffer.alloc(digest);
  return (secret) => {
    prk.write(extract.of(secret), 'latin1');
    expand.rekey(prk);
    const derived = Buffer.from(expand.of(expandInput), 'latin1');
    prk.fill(0);
    expand.rekey(prk);
    return derived;
  };
}

function mac(room: number): Mac {
  const inner = Buffer.alloc(block + room);
  const outer = Buffer.alloc(block + digest);
  return {
    rekey(given) {
      const key = given.length > block ? Buffer.from(hash('sha256', given, 'binary'), 'latin1') : given;
      for (let at = 0; at < block; at++) {
        const byte = at < key.length ? key[at]! : 0;
        inner[at] = byte ^ 0x36;
        outer[at] = byte ^ 0x5c;
      }
    },
    of(message) {
      if (message.length > room) throw new RangeError(`${message.length} bytes do not fit in ${room}`);
      inner.set(message, block);
      outer.write(hash('sha256', inner.subarray(0, block + message.length), 'binary'), block, 'latin1');
      return hash('sha256', outer, 'binary');
    },
  };
}
