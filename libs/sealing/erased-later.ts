import { parseStreamName, streamName } from '#events/stream-name.js';
import type { Ledger, StoredEvent } from '#ledger/ledger.js';

/**
 * Whether what an event says was erased after it: its memory, or its whole bank. Asked where a key is gone: then the event is blank, and
 * without it the key store or the ledger is damaged.
 */
export type ErasedLater = (event: Pick<StoredEvent, 'stream' | 'revision'>) => Promise<boolean>;

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

  return async ({ stream, revision }) => {
    const { ledger: id, bank, category } = parseStreamName(stream);
    const ofBank = streamName({ ledger: id, bank, category: 'bank', id: bank });
    if (erasedAt.has(ofBank)) return stream !== ofBank || isErasedBehind(ofBank, revision, 'BankErased');
    if (category === 'memory' && (await isErasedBehind(stream, revision, 'MemoryErased'))) return true;
    return isErasedBehind(ofBank, stream === ofBank ? revision : -1, 'BankErased');
  };
}
