import { decodeEnvelope, type Envelope } from '#events/envelope.js';
import { keyedHash } from '#events/keyed-hash.js';
import type { MemoryErased } from '#events/memory-erased.js';
import { memoryStream } from '#events/stream-name.js';
import type { StoredEvent } from '#ledger/ledger.js';
import { openEvent } from '#sealing/open-event.js';
import type { Mark } from '../commit/commit-changes.js';
import type { ErasingDeps } from './erasing-deps.js';
import { isGone } from './is-gone.js';
import { appendNext } from './next-events.js';
import { encodedFor, eventId, type Order } from './order.js';

/** Fingerprints that one event carries: of a memory with more versions, the last. 35 bytes each. */
const mostFingerprints = 10_000;

/** What an erasure ended in one memory's stream. */
export interface ErasedMemory {
  readonly memoryId: string;
  /** The events before the erasure, which nothing opens once its secrets are destroyed. */
  readonly former: readonly StoredEvent[];
  /** Of their boxes. */
  readonly secrets: ReadonlySet<string>;
  /** Of the last event before this order's own mark: where it is gone the order's keys were destroyed. */
  readonly lastSecret: string | undefined;
  /** It was written to since it was shown, and stays as it is: nothing of it is in here. */
  readonly left: boolean;
  /** The event that says so; undefined for a memory that was never written. */
  readonly mark: Mark | undefined;
}

type Deps = Pick<ErasingDeps, 'ledger' | 'vault' | 'sources' | 'committing'>;

/**
 * Ends a memory in its stream: a writer at the same moment fails, rereads and learns it. One that has a later version than the order was
 * given for is left, whoever carries it out, and whenever: versions only grow.
 * @param when `ordered`: once per order, whatever is written after it · `late`: where something stands at the end that nothing opens
 */
export async function eraseMemory(
  deps: Deps,
  order: Order,
  memoryId: string,
  when: 'ordered' | 'late' = 'ordered',
): Promise<ErasedMemory> {
  const { ledger, sources } = deps;
  const stream = memoryStream(ledger.id, order.bank, memoryId);
  let id = eventId(order.erasureId, `memory/${memoryId}`);
  let left = false;
  const { held, position, last } = await appendNext({ ledger, now: sources.now }, stream, async (before, place) => {
    if (before.length === 0) return [];
    left = when === 'ordered' && isLater(before, id, order.versions.get(memoryId));
    if (left) return [];
    if (when === 'late') id = eventId(order.erasureId, `memory/${memoryId}/${before.length}`);
    if (when === 'late' ? !(await endsClosed(deps, before)) : isEnded(before, id)) return [];
    const fingerprints = order.fingerprints ? await fingerprintsOf(deps, order.bank, before) : undefined;
    const event: MemoryErased = {
      type: 'MemoryErased',
      data: { memoryId, erasureId: order.erasureId, fingerprints },
      content: {},
    };
    return [encodedFor(deps, order, event, { id, stream, ...place() })];
  });
  deps.committing.memories.drop(order.bank, memoryId);
  if (left) return { memoryId, former: [], secrets: new Set(), lastSecret: undefined, left, mark: undefined };
  const at = held.findIndex((each) => each.id === id);
  const former = (at < 0 ? held : held.slice(0, at)).filter(({ type }) => type !== 'MemoryErased');
  const secrets = new Set(former.map(({ bytes }) => decodeEnvelope(bytes).box?.k).filter((each) => each !== undefined));
  const mark = position !== undefined && last ? markOf({ ...last, position }) : held[at] && markOf(held[at]);
  const lastSecret = mark && decodeEnvelope(former.at(-1)!.bytes).box?.k;
  return { memoryId, former, secrets, lastSecret, left, mark };
}

function markOf({ position, hash, bytes }: Pick<StoredEvent, 'position' | 'hash' | 'bytes'>): Mark {
  const recordedAt = Date.parse(decodeEnvelope(bytes).recordedAt);
  return { position, hash: Buffer.from(hash).toString('base64url'), recordedAt };
}

/** Whether something was written that the order was not given for, and that it did not end. */
function isLater(events: readonly StoredEvent[], id: string, planned: number | undefined): boolean {
  if (planned === undefined || events.at(-1)?.type === 'MemoryErased' || events.some((each) => each.id === id))
    return false;
  const last = events.findLast(({ type }) => type === 'MemoryRecorded' || type === 'MemoryRevised');
  return last !== undefined && Number(decodeEnvelope(last.bytes).data.version) > planned;
}

/** By this order, or by another one and not written since. */
function isEnded(events: readonly StoredEvent[], id: string): boolean {
  return events.at(-1)?.type === 'MemoryErased' || events.some((each) => each.id === id);
}

/** Whether something stands behind the last erasure that nothing opens. */
async function endsClosed({ vault }: Pick<ErasingDeps, 'vault'>, events: readonly StoredEvent[]): Promise<boolean> {
  const from = events.findLastIndex(({ type }) => type === 'MemoryErased') + 1;
  for (const each of events.slice(from)) if (await isClosed(vault, each)) return true;
  return false;
}

/** Keyed hashes of all that was said since the last erasure, latest first. */
async function fingerprintsOf(
  deps: Pick<ErasingDeps, 'vault'>,
  bank: string,
  events: readonly StoredEvent[],
): Promise<string[] | undefined> {
  const keys = await deps.vault.knownBankKeys(bank);
  // The whole bank was deleted meanwhile: nothing is written to it any more.
  if (!keys) return undefined;
  const from = events.findLastIndex(({ type }) => type === 'MemoryErased') + 1;
  const found = new Set<string>();
  for (const { bytes } of events.slice(from).reverse()) {
    const text = await contentText(deps, bytes);
    if (text !== undefined) found.add(fingerprintOf(keys.identityKey, text));
    if (found.size >= mostFingerprints) break;
  }
  return [...found];
}

/** @param content JSON text, as versions hold it */
export function fingerprintOf(identityKey: Uint8Array, content: string): string {
  return keyedHash(identityKey, 'fingerprint', content);
}

async function contentText(deps: Pick<ErasingDeps, 'vault'>, bytes: Uint8Array): Promise<string | undefined> {
  try {
    const { event } = await openEvent(deps.vault, bytes);
    return event.type === 'MemoryRecorded' || event.type === 'MemoryRevised' ? event.content.content : undefined;
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** Whether nothing opens an event any more. */
export async function isClosed(vault: ErasingDeps['vault'], { bytes }: StoredEvent): Promise<boolean> {
  try {
    await openEvent(vault, bytes);
    return decodeEnvelope(bytes).box === undefined;
  } catch (error) {
    if (isGone(error)) return true;
    throw error;
  }
}

export function isAbout({ subjects = [] }: Envelope, order: Pick<Order, 'subjects'>): boolean {
  return subjects.some((each) => order.subjects.includes(each));
}
