import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson } from '#events/canonical.js';

/** RFC 9162 §2.1 with SHA-256; the leaf of an event is the 32 bytes of its stored hash (docs/decisions/0018). */
export const treeAlgorithm = 'hl-merkle-sha256-1';

/** What a root says, and what is signed of it. */
export interface RootStatement {
  readonly algorithm: typeof treeAlgorithm;
  /** ISO 8601, UTC: when it was made. */
  readonly at: string;
  /** Hash of the last event that counts, base64url. */
  readonly head: string;
  readonly ledger: string;
  readonly root: string;
  readonly size: number;
}

export interface RootSignature {
  /** Ed25519, base64url. */
  readonly signature: string;
  /** 32 bytes, base64url. */
  readonly publicKey: string;
}

const hash = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

/** `root.json`: a root that was exported, to be held against the ledger later. Further members are let through: they are not signed. */
export const exportedRoot = z.object({
  v: z.literal(1),
  algorithm: z.literal(treeAlgorithm),
  at: z.string(),
  head: hash,
  ledger: z.string().min(1),
  root: hash,
  size: z.int().min(1),
  signature: z.string().optional(),
  publicKey: hash.optional(),
});
export type ExportedRoot = z.infer<typeof exportedRoot>;

/** Signs with an Ed25519 key. */
export type Signer = (statement: RootStatement) => RootSignature;

/** @param key an Ed25519 private key */
export function signerWith(key: KeyObject): Signer {
  const publicKey = rawPublicKey(createPublicKey(key));
  return (statement) => ({ signature: sign(null, signedBytes(statement), key).toString('base64url'), publicKey });
}

/** Whether a statement was signed with the key of this public key. */
export function isSignedBy(statement: RootStatement, { signature, publicKey }: RootSignature): boolean {
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
    return verify(null, signedBytes(statement), key, Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
}

/** 32 bytes (RFC 8032) in base64url. */
export function rawPublicKey(key: KeyObject): string {
  return (key.export({ format: 'jwk' }) as { x: string }).x;
}

/** The domain tag keeps the signature of a root from being that of anything else. */
function signedBytes({ algorithm, at, head, ledger, root, size }: RootStatement): Buffer {
  return Buffer.from(
    `hindsight-ledger/root\0\x01${canonicalJson({ algorithm, at, head, ledger, root, size })}`,
    'utf8',
  );
}
