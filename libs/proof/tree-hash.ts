import { hash } from 'node:crypto';

/**
 * A hash of the tree: 32 bytes as a string of as many characters, one per byte (`latin1`). Two of them are joined and hashed for every
 * event, and as buffers each would have memory of its own.
 */
export type TreeHash = string;

/** Of RFC 9162 §2.1.1, so that a leaf is never taken for a node. */
const leafTag = 0;
const nodeTag = 1;
const hashBytes = 32;

const nodeRoom = Buffer.alloc(1 + 2 * hashBytes);
nodeRoom[0] = nodeTag;
const leafRoom = Buffer.alloc(1 + hashBytes);
leafRoom[0] = leafTag;

/** Of no leaves: SHA-256 of nothing. */
export const emptyRoot: TreeHash = hash('sha256', '', 'binary');

/**
 * SHA-256(0x00 ‖ leaf)
 * @param leaf any bytes, or 32 of them as a text with a character for each
 */
export function leafHash(leaf: Uint8Array | string): TreeHash {
  if (typeof leaf === 'string') leafRoom.write(leaf, 1, 'latin1');
  else if (leaf.length === hashBytes) leafRoom.set(leaf, 1);
  else return hash('sha256', Buffer.concat([Buffer.of(leafTag), leaf]), 'binary');
  return hash('sha256', leafRoom, 'binary');
}

/** SHA-256(0x01 ‖ left ‖ right) */
export function nodeHash(left: TreeHash, right: TreeHash): TreeHash {
  nodeRoom.write(left, 1, 'latin1');
  nodeRoom.write(right, 1 + hashBytes, 'latin1');
  return hash('sha256', nodeRoom, 'binary');
}

export function toBase64url(treeHash: TreeHash): string {
  return Buffer.from(treeHash, 'latin1').toString('base64url');
}

/** @returns undefined for a text that is not 32 bytes in base64url */
export function fromBase64url(text: string): TreeHash | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length === hashBytes && bytes.toString('base64url') === text ? bytes.toString('latin1') : undefined;
}
