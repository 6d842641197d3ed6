import { createHash } from 'node:crypto';

const prefix = 'hl_';
const secretBytes = 32;
const form = /^hl_[A-Za-z0-9_-]{43}$/;

/** A token of 256 random bits. Its prefix lets scanners for leaked secrets know it. */
export function newToken(random: (bytes: number) => Uint8Array): string {
  return prefix + Buffer.from(random(secretBytes)).toString('base64url');
}

/**
 * What is kept of a token; undefined for a text that cannot be one. A plain SHA-256 is enough for 256 random bits, and a
 * search by it tells by its time at most where two hashes differ, from which no token follows.
 */
export function tokenHash(token: string): Uint8Array | undefined {
  return form.test(token) ? createHash('sha256').update(`hindsight-ledger/token/1\n${token}`).digest() : undefined;
}
