import { HindsightError } from '#contract/errors.js';
import type { Ledger } from '#ledger/ledger.js';
import { isConsistent, isIncluded } from '#proof/check-proof.js';
import { collectProof, consistencyRanges, inclusionRanges, type LeafRange } from '#proof/proof-ranges.js';
import type { ExportedRoot } from '#proof/root.js';
import type { Seal } from '#proof/seal-stream.js';
import { fromBase64url, leafHash, type TreeHash, toBase64url } from '#proof/tree-hash.js';

/** Shows to whoever trusts a root, and has nothing else of the ledger, that an event is one of those that it covers (RFC 9162 §2.1.3). */
export interface InclusionProof {
  readonly eventId: string;
  /** The leaf before its tag. */
  readonly eventHash: string;
  /** 0, 1, … */
  readonly rank: number;
  readonly size: number;
  readonly root: string;
  /** base64url, from the leaf's sibling up. */
  readonly path: readonly string[];
}

/** Shows that the ledger of a seal begins with what an earlier root covers (RFC 9162 §2.1.4). */
export interface ConsistencyProof {
  readonly first: { readonly size: number; readonly root: string };
  readonly second: { readonly size: number; readonly root: string };
  readonly path: readonly string[];
}

/**
 * Reads the ledger twice, as far as the seal: for the event's rank, then for its path.
 * @throws HindsightError invalid_input when the seal does not cover such an event · ledger_corrupt when the proof does not hold
 */
export async function proveInclusion(ledger: Ledger, seal: Seal, eventId: string): Promise<InclusionProof> {
  const { size, root } = seal;
  let rank = 0;
  let hash: Uint8Array | undefined;
  for await (const event of ledger.readAll({ limit: size })) {
    if (event.id === eventId) hash = event.hash;
    if (hash) break;
    rank += 1;
  }
  if (!hash)
    throw new HindsightError(
      'invalid_input',
      `Event ${eventId} is none of the ${size} that the last seal covers. Accepted: the id of one of them; \`hindsight-ledger seal\` covers what came since.`,
      { eventId },
    );
  const path = await pathOf(ledger, inclusionRanges(rank, size), size);
  if (!isIncluded(leafHash(hash), rank, size, path, hashOf(root))) throw doesNotHold(size);
  const eventHash = Buffer.from(hash).toString('base64url');
  return { eventId, eventHash, rank, size, root, path: path.map(toBase64url) };
}

/** Undefined where the root covers more than the seal. @throws HindsightError ledger_corrupt when the proof does not hold */
export async function proveConsistency(
  ledger: Ledger,
  seal: Seal,
  { size, root }: ExportedRoot,
): Promise<ConsistencyProof | undefined> {
  if (size > seal.size) return undefined;
  const path = await pathOf(ledger, consistencyRanges(size, seal.size), seal.size);
  if (!isConsistent(size, seal.size, hashOf(root), hashOf(seal.root), path)) throw doesNotHold(seal.size);
  return { first: { size, root }, second: { size: seal.size, root: seal.root }, path: path.map(toBase64url) };
}

async function pathOf(ledger: Ledger, ranges: readonly LeafRange[], size: number): Promise<TreeHash[]> {
  const collector = collectProof(ranges);
  for await (const { hash } of ledger.readAll({ limit: size })) collector.take(hash);
  return collector.hashes();
}

function hashOf(base64url: string): TreeHash {
  return fromBase64url(base64url) ?? '';
}

function doesNotHold(size: number): HindsightError {
  return new HindsightError(
    'ledger_corrupt',
    `The first ${size} events are not those that the last seal covers, so nothing can be proven by it. \`hindsight-ledger verify\` says what is wrong.`,
  );
}
