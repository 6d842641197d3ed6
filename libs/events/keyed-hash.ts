import { hmac } from './hmac.js';

/**
 * HMAC-SHA-256 over a purpose and parts, cut to 16 bytes, in hex. The purpose separates domains (a tag and a slot of the
 * same name have different hashes); parts are prefixed by their length in UTF-16 code units, so that ('ab','c') and
 * ('a','bc') differ.
 */
export function keyedHash(key: Uint8Array, purpose: string, ...parts: readonly string[]): string {
  return keyedDigest(key, purpose, parts).toString('hex', 0, 16);
}

export function keyedDigest(key: Uint8Array, purpose: string, parts: readonly string[]): Buffer {
  let text = `hl-hash-1\n${purpose}\n`;
  for (const part of parts) text += part.isWellFormed() ? `${part.length}:${part}\n` : escaped(part);
  return hmac(key, text);
}

// UTF-8 has no lone surrogates: all of them would become U+FFFD, and different parts one hash.
function escaped(part: string): string {
  const text = JSON.stringify(part);
  return `j${text.length}:${text}\n`;
}
