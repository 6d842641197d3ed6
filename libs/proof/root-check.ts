import { type MerkleTree, merkleTree } from './merkle-tree.js';
import type { RootStatement } from './root.js';
import { isSignedBy } from './root.js';
import { frontierOf, type Seal, statementOf } from './seal-stream.js';
import { toBase64url } from './tree-hash.js';

export interface SealFault {
  /** Of the seal. */
  readonly position: string;
  /** Of the last seal before it that was right; whatever is wrong was stored after what that one covers. */
  readonly after: string | undefined;
  /** One sentence for a person. */
  readonly what: string;
}

export interface SealsFound {
  readonly count: number;
  /** With a signature that is right. */
  readonly signed: number;
  /** Public keys that signed, in the order of their first seals. */
  readonly signers: readonly string[];
  /** Seals that stand so far behind what they cover that it could not be held in memory. */
  readonly unchecked: number;
  /** Events after what the last right seal covers. */
  readonly unsealed: number;
  readonly faults: readonly SealFault[];
  /** Over all events, in base64url; undefined where a seal is wrong, or there is no event. */
  readonly root: string | undefined;
  /** Whether the ledger begins with what the given root covers. */
  readonly against: { readonly holds: boolean; readonly what: string | undefined } | undefined;
}

/** Grows the tree while all events go by once, and holds every seal, and a root from elsewhere, against it. */
export interface RootCheck {
  /** @param hash of the event's bytes as they are now, a character for each of 32 bytes */
  take(hash: string): void;
  /** After the seal itself was taken. @param seal undefined where what it says is none */
  seal(position: string, seal: Seal | undefined): void;
  found(): SealsFound;
}

/** A seal covers the events up to some that were stored just before it: so many may stand between (48 bytes each). */
const mostBetween = 65_536;

export function rootCheck(ledger: string, against?: Pick<RootStatement, 'size' | 'root'>): RootCheck {
  // The tree lags behind what was taken, since a seal speaks of a moment before its own; what is between is held.
  const held: string[] = [];
  let tree: MerkleTree = merkleTree();
  let taken = 0;
  let grown = 0;
  /** What a seal counts more than there is, once something was taken out before it. */
  let shift = 0;
  let isOwnTree = true;
  let isLost = false;
  let lastRight: { readonly position: string; readonly size: number } | undefined;
  let count = 0;
  let signed = 0;
  let unchecked = 0;
  const signers = new Set<string>();
  const faults: SealFault[] = [];
  let againstFound: SealsFound['against'];

  const heldAt = (rank: number) => held[rank % mostBetween]!;

  function growTo(rank: number): void {
    while (grown < rank) {
      tree.append(heldAt(grown));
      grown += 1;
      if (grown === against?.size) compare(against.root);
    }
  }

  function compare(root: string): void {
    const holds = isOwnTree && toBase64url(tree.root()) === root;
    againstFound = {
      holds,
      what: holds ? undefined : `the first ${grown} events are not those that the root was made of`,
    };
  }

  function faultOf(seal: Seal | undefined): string | undefined {
    if (!seal) return 'what it says is no seal, or its root is not that of its peaks';
    const { signature, publicKey } = seal;
    if (signature !== undefined && !(publicKey && isSignedBy(statementOf(ledger, seal), { signature, publicKey })))
      return 'its signature is not of what it says';
    if (lastRight && seal.size < lastRight.size) return 'it covers fewer events than the seal before it';
    const upTo = seal.size - shift;
    if (upTo >= taken)
      return `it covers ${seal.size} events, and only ${taken - 1 + shift} stand before it: some were taken out`;
    growTo(upTo);
    if (toBase64url(tree.root()) === seal.root) return undefined;
    return `the first ${seal.size} events do not have the root that was sealed: one was changed, taken out, put in or moved`;
  }

  /** Goes on from what a wrong seal says, so that one damage makes one seal wrong and not all after it. */
  function goOnFrom(seal: Seal | undefined): void {
    isOwnTree = false;
    isLost = true;
    if (!seal) return;
    const head = Buffer.from(seal.head.hash, 'base64url').toString('latin1');
    for (let rank = taken - 1; rank >= Math.max(0, taken - mostBetween); rank--) {
      if (heldAt(rank) !== head) continue;
      tree = merkleTree(frontierOf(seal));
      grown = rank + 1;
      shift = seal.size - grown;
      isLost = false;
      return;
    }
  }

  return {
    take(hash) {
      if (taken - grown === mostBetween) growTo(grown + mostBetween / 2);
      held[taken % mostBetween] = hash;
      taken += 1;
    },
    seal(position, seal) {
      count += 1;
      const isTooFar = seal !== undefined && seal.size - shift < grown && seal.size > (lastRight?.size ?? 0);
      if (isLost || isTooFar) {
        unchecked += 1;
        return;
      }
      const what = faultOf(seal);
      if (what === undefined) {
        lastRight = { position, size: seal!.size };
        if (seal!.publicKey) {
          signed += 1;
          signers.add(seal!.publicKey);
        }
        return;
      }
      faults.push({ position, after: lastRight?.position, what });
      goOnFrom(seal);
    },
    found() {
      growTo(taken);
      if (against && !againstFound) {
        const what = `the root covers ${against.size} events, and the ledger has ${taken}: its end was cut off`;
        againstFound = { holds: false, what };
      }
      return {
        count,
        signed,
        signers: [...signers],
        unchecked,
        unsealed: taken - Math.max(0, (lastRight?.size ?? 0) - shift),
        faults,
        root: isOwnTree && taken > 0 ? toBase64url(tree.root()) : undefined,
        against: againstFound,
      };
    },
  };
}
