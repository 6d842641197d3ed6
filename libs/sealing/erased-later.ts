import { isHindsightError } from '#contract/errors.js';
import { memoryStream, parseStreamName, streamName } from '#events/stream-name.js';
import type { Ledger, StoredEvent } from '#ledger/ledger.js';

/** An event that does not open; `subjects` are the keyed hashes of whom it is about. */
export type Unopened = Pick<StoredEvent, 'stream' | 'revision'> & { readonly subjects?: readonly string[] | undefined };

/**
 * Whether an event does not open because what it says was erased: its memory, a person whom it is about, or its whole bank. Then it is
 * blank; else the key store or the ledger is damaged. A person who was erased and is written about again has another secret: what was
 * sealed with the former one, and stored too late for the erasure to see it, then looks as if it had been changed.
 * @param error what opening it was refused with; false for any other than a missing key, or a box that is not authentic
 */
export type ErasedLater = (event: Unopened, error: unknown) => Promise<boolean>;

/** Streams whose erasure is remembered; some 150 bytes each. What is erased stays so. */
const remembered = 50_000;
const known = new WeakMap<object, ErasedLater>();

/** One for each ledger, so that a stream is looked through once. Reads backward, so the newest erasure is met first. */
export function erasedLater(ledger: Pick<Ledger, 'readStream'>): ErasedLater {
  let found = known.get(ledger);
  if (!found) {
    found = createErasedLater(ledger);
    known.set(ledger, found);
  }
  return found;
}

function createErasedLater(ledger: Pick<Ledger, 'readStream'>): ErasedLater {
  /** Revision of the newest erasing event of a stream. */
  const erasedAt = new Map<string, number>();

  /** Whether one of `type` stands behind a revision of the stream. */
  async function isErasedBehind(stream: string, revision: number, type: string): Promise<boolean> {
    const remembers = erasedAt.get(stream);
    if (remembers !== undefined && remembers > revision) return true;
    for await (const each of ledger.readStream(stream, { direction: 'backward' })) {
      if (each.revision <= revision) return false;
      if (each.type !== type) continue;
      if (erasedAt.size >= remembered) erasedAt.clear();
      erasedAt.set(stream, each.revision);
      return true;
    }
    return false;
  }

  async function isAboutErased(stream: string, subjects: readonly string[]): Promise<boolean> {
    const { ledger: id, bank } = parseStreamName(stream);
    for (const subject of subjects)
      if (await isErasedBehind(streamName({ ledger: id, bank, category: 'subject', id: subject }), -1, 'SubjectErased'))
        return true;
    return false;
  }

  return async ({ stream, revision, subjects = [] }, error) => {
    if (isHindsightError(error, 'ledger_corrupt')) return isAboutErased(stream, subjects);
    if (!isHindsightError(error, 'key_not_found')) return false;
    if (await isAboutErased(stream, subjects)) return true;
    const { ledger: id, bank, category, id: own } = parseStreamName(stream);
    const ofBank = streamName({ ledger: id, bank, category: 'bank', id: bank });
    if (erasedAt.has(ofBank)) return stream !== ofBank || isErasedBehind(ofBank, revision, 'BankErased');
    if (category === 'memory' && (await isErasedBehind(stream, revision, 'MemoryErased'))) return true;
    // What was found out about a memory is sealed with the memory's secret, and no erasure writes into its stream.
    if (category === 'understanding' && (await isErasedBehind(memoryStream(id, bank, own), -1, 'MemoryErased')))
      return true;
    return isErasedBehind(ofBank, stream === ofBank ? revision : -1, 'BankErased');
  };
}
