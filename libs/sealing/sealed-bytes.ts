import { createCipheriv, createDecipheriv } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;

/** AES-256-GCM: nonce ‖ ciphertext ‖ tag. `nonce` (12 bytes) must never have been used with this key. */
export function sealBytes(key: Uint8Array, nonce: Uint8Array, plain: Uint8Array, associated: string): Uint8Array {
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(associated, 'utf8'));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** @throws Error when the bytes, the key or the associated data are not those that were sealed */
export function openBytes(key: Uint8Array, sealed: Uint8Array, associated: string): Uint8Array {
  const tagAt = sealed.length - tagBytes;
  if (tagAt < nonceBytes) throw new RangeError(`${sealed.length} bytes are too few to be sealed ones`);
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(associated, 'utf8'));
  decipher.setAuthTag(sealed.subarray(tagAt));
  const plain = decipher.update(sealed.subarray(nonceBytes, tagAt));
  // In this mode `final` adds nothing: it says whether what `update` gave is authentic.
  decipher.final();
  return plain;
}
