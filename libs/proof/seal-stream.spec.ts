import { describe, expect, it } from 'vitest';
import { decodeEnvelope } from '#events/envelope.js';
import { storedEvents } from '#events/test-support/stored-events.js';
import { merkleTree } from './merkle-tree.js';
import { isSignedBy } from './root.js';
import { exportedOf, sealOf, statementOf } from './seal-stream.js';
import { toBase64url } from './tree-hash.js';

const { current, boxless } = storedEvents();
const envelope = decodeEnvelope(boxless.find(({ name }) => name.startsWith('a seal'))!.bytes);

/** Made by another program, in another language: vectors/stored-events.json says which. */
describe('a stored seal', () => {
  const seal = sealOf(envelope.data)!;

  it('has the root and the peaks of what it covers', () => {
    const tree = merkleTree();
    for (const { hash } of current.slice(0, 3)) tree.append(Buffer.from(hash, 'hex'));
    expect(seal).toMatchObject({ ...tree.frontier(), root: toBase64url(tree.root()) });
  });

  it('has a signature of what is exported', () => {
    const { signature, publicKey } = seal;
    const signed = { signature: signature!, publicKey: publicKey! };
    expect(isSignedBy(statementOf(envelope.ledger, seal), signed)).toBe(true);
    expect(isSignedBy(exportedOf(envelope.ledger, seal), signed)).toBe(true);
    expect(isSignedBy(statementOf('another', seal), signed)).toBe(false);
  });

  it('is none when its peaks do not make its root, or something is missing or too much', () => {
    const { root, ...rootless } = seal;
    for (const wrong of [rootless, { ...seal, root: seal.head.hash }, { ...seal, size: 4 }, { ...seal, more: 1 }, null])
      expect(sealOf(wrong)).toBeUndefined();
    expect(sealOf({ ...rootless, root })).toEqual(seal);
  });
});
