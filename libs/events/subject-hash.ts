import { keyedHash } from './keyed-hash.js';

/** The keyed hash of a person's name: compatibility forms, case and surrounding blanks make no other person. */
export function subjectHash(identityKey: Uint8Array, name: string): string {
  return keyedHash(identityKey, 'subject', name.normalize('NFKC').trim().toLowerCase());
}
