import { decodeEnvelope } from '#events/envelope.js';
import { memoryStream } from '#events/stream-name.js';
import type { Ledger } from '#ledger/ledger.js';
import { boundedCache } from '#sealing/bounded-cache.js';
import type { SourceEvent } from './imported.js';

/** What a bank knows of a record of an export: the very event that it came from, no more than its memory, or neither. */
export type Known = 'event' | 'memory' | 'nothing';

/** Asks a bank about the event that a record came from. */
export type KnownBy = (bank: string, source: SourceEvent) => Promise<Known>;

/** An export is in the order of the ledger: versions of one memory stand apart. */
const keptMemories = 2_000;

/**
 * Recognises what a bank itself exported, by the ids of memory and event: no other bank has them, but for a copy of the ledger. Of what was
 * erased since nothing is known: it is imported as it would be anywhere else, and refused by what is kept of erased values.
 */
export function knownBy(ledger: Pick<Ledger, 'id' | 'readStream'>): KnownBy {
  const read = boundedCache<Promise<ReadonlySet<string>>>(keptMemories);
  async function eventsOf(stream: string): Promise<ReadonlySet<string>> {
    const ids = new Set<string>();
    for await (const { type, bytes } of ledger.readStream(stream)) {
      if (type === 'MemoryErased') ids.clear();
      else ids.add(decodeEnvelope(bytes).id);
    }
    return ids;
  }
  return async (bank, { memory_id, event_id }) => {
    const stream = memoryStream(ledger.id, bank, memory_id);
    const events = read.get(stream) ?? eventsOf(stream);
    read.set(stream, events);
    const known = await events;
    if (known.has(event_id)) return 'event';
    return known.size > 0 ? 'memory' : 'nothing';
  };
}
