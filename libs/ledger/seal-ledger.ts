import { HindsightError, isHindsightError } from '#contract/errors.js';
import { decodeEnvelope, encodeEvent } from '#events/envelope.js';
import { eventHash, hashAlgorithm } from '#events/hash.js';
import { ledgerSealed } from '#events/ledger-sealed.js';
import { type MerkleTree, merkleTree } from '#proof/merkle-tree.js';
import { type Signer, treeAlgorithm } from '#proof/root.js';
import { frontierOf, type Seal, sealBank, sealOf, sealStream, statementOf } from '#proof/seal-stream.js';
import { toBase64url } from '#proof/tree-hash.js';
import type { Ledger, Position, StoredEvent } from './ledger.js';

export interface SealTools {
  now(): number;
  uuid(): string;
  /** Whoever seals. */
  readonly principal: string;
  /** Asked for each seal; undefined where none is signed. */
  signer?(): Promise<Signer | undefined>;
}

export interface SealLimits {
  /** Below so many events since the last seal none is made; 1 by default. Seals themselves are not counted. */
  readonly least?: number;
  /** Nor above so many, so that whoever is about to exit does not begin to read a whole ledger. */
  readonly most?: number;
}

/** `few`, `many`: none was made, since the limits say so; `seal` is then the last one, if there is any. */
export interface Sealed {
  readonly outcome: 'sealed' | 'few' | 'many';
  readonly seal: Seal | undefined;
}

/** After a lost race the other's seal is the one to go on from; losing again and again means that others seal all the time. */
const tries = 5;

/**
 * Seals what the ledger holds: goes on from the last seal, which any process may have made, and reads only what came after it.
 * @throws HindsightError ledger_corrupt when the last seal is wrong, or what it covers is not there · what the ledger throws
 */
export async function sealLedger(ledger: Ledger, tools: SealTools, limits: SealLimits = {}): Promise<Sealed> {
  const { least = 1, most = Number.POSITIVE_INFINITY } = limits;
  for (let attempt = 1; ; attempt++) {
    const last = await lastSeal(ledger);
    const grown = await growTree(ledger, last, most);
    if (grown === 'many') return { outcome: 'many', seal: last?.seal };
    if (grown.fresh < least || !grown.head) return { outcome: 'few', seal: last?.seal };
    try {
      return { outcome: 'sealed', seal: await appendSeal(ledger, tools, last, grown.tree, grown.head) };
    } catch (error) {
      if (!isHindsightError(error, 'wrong_expected_revision') || attempt === tries) throw error;
    }
  }
}

interface LastSeal {
  readonly seal: Seal;
  readonly event: StoredEvent;
  readonly recordedAt: string;
}

/** @throws HindsightError ledger_corrupt when it is not as it was written */
export async function lastSeal(ledger: Ledger): Promise<LastSeal | undefined> {
  for await (const event of ledger.readStream(sealStream(ledger.id), { direction: 'backward', limit: 1 })) {
    if (Buffer.compare(eventHash(event.bytes), event.hash) === 0) {
      const envelope = decodeEnvelope(event.bytes);
      const seal = sealOf(envelope.data);
      if (seal) return { seal, event, recordedAt: envelope.recordedAt };
    }
    throw wrongSeal(event.position, 'it is not as it was written');
  }
  return undefined;
}

interface Grown {
  readonly tree: MerkleTree;
  readonly head: StoredEvent | undefined;
  /** Events that are no seals. */
  readonly fresh: number;
}

async function growTree(ledger: Ledger, last: LastSeal | undefined, most: number): Promise<Grown | 'many'> {
  const tree = merkleTree(last && frontierOf(last.seal));
  const stream = sealStream(ledger.id);
  let head: StoredEvent | undefined;
  let fresh = 0;
  for await (const event of ledger.readAll({ after: last && (await headPosition(ledger, last)) })) {
    tree.append(event.hash);
    head = event;
    if (event.stream !== stream) fresh += 1;
    if (fresh > most) return 'many';
  }
  return { tree, head, fresh };
}

/** Positions are the adapter's own, so a seal names its last event by stream and revision: it holds after the ledger has moved. */
async function headPosition(ledger: Ledger, { seal: { head }, event: { position } }: LastSeal): Promise<Position> {
  for await (const found of ledger.readStream(head.stream, { from: head.revision, limit: 1 }))
    if (found.revision === head.revision && Buffer.from(found.hash).toString('base64url') === head.hash)
      return found.position;
  throw wrongSeal(position, `event ${head.revision} of ${head.stream}, the last that it covers, is not there`);
}

async function appendSeal(
  ledger: Ledger,
  tools: SealTools,
  last: LastSeal | undefined,
  tree: MerkleTree,
  head: StoredEvent,
): Promise<Seal> {
  const now = new Date(tools.now()).toISOString();
  const recordedAt = last && last.recordedAt > now ? last.recordedAt : now;
  const { size, peaks } = tree.frontier();
  const { stream, revision } = head;
  const unsigned: Seal = {
    algorithm: treeAlgorithm,
    size,
    root: toBase64url(tree.root()),
    peaks: [...peaks],
    head: { stream, revision, hash: Buffer.from(head.hash).toString('base64url') },
    at: recordedAt,
  };
  const sign = await tools.signer?.();
  const seal = sign ? { ...unsigned, ...sign(statementOf(ledger.id, unsigned)) } : unsigned;
  const name = sealStream(ledger.id);
  const event = encodeEvent({
    v: 1,
    hashAlgorithm,
    id: tools.uuid(),
    ledger: ledger.id,
    bank: sealBank,
    stream: name,
    revision: last ? last.event.revision + 1 : 0,
    type: ledgerSealed.type,
    schema: ledgerSealed.schema,
    recordedAt,
    principal: tools.principal,
    previous: last ? Buffer.from(last.event.hash).toString('base64url') : null,
    data: seal,
  });
  await ledger.append(name, [event], last ? last.event.revision : 'no_stream');
  return seal;
}

function wrongSeal(position: Position, what: string): HindsightError {
  return new HindsightError(
    'ledger_corrupt',
    `The last seal of the ledger, at position ${position}, is wrong: ${what}. No further seal is put on it.`,
    { position },
  );
}
