import type { MemoryEvent } from '#events/catalogue.js';
import { decodeEnvelope } from '#events/envelope.js';
import { memoryStream } from '#events/stream-name.js';
import { readEvent } from '#events/upcast.js';
import type { Ledger, StoredEvent } from '#ledger/ledger.js';
import { openEvent } from '#sealing/open-event.js';
import type { Vault } from '#sealing/vault.js';
import type { EndLate } from '../erase/end-late.js';
import { isGone } from '../erase/is-gone.js';
import { type Remembered, remember, rememberBlank, unremembered } from './remembered.js';

/** Folded memories kept per process: enough for the slots that agents keep writing, a few MB at most. */
const keptMemories = 2_000;

/**
 * The memories of the ledger as writers see them. What is kept from earlier may be stale, since other processes write too:
 * an append at its revision tells; whoever appends nothing asks for `upToDate` first.
 */
export interface Memories {
  kept(bank: string, memoryId: string): Remembered | undefined;
  /** Folds what the ledger has beyond what is kept. What stands before an erasure is not opened: it cannot be. */
  upToDate(bank: string, memoryId: string): Promise<Remembered>;
  keep(bank: string, memory: Remembered): void;
  drop(bank: string, memoryId: string): void;
}

/** @param endLate asked where something about people opens no more */
export function memoriesOf(ledger: Ledger, vault: Vault, endLate?: EndLate): Memories {
  // In the order of writing: what is written moves to the end, what was not written for longest goes.
  const cache = new Map<string, Remembered>();
  const keep = (bank: string, memory: Remembered) => {
    const name = `${bank}/${memory.state.memoryId}`;
    cache.delete(name);
    cache.set(name, memory);
    if (cache.size > keptMemories) cache.delete(cache.keys().next().value!);
  };
  const memories: Memories = {
    keep,
    kept(bank, memoryId) {
      return cache.get(`${bank}/${memoryId}`);
    },
    async upToDate(bank, memoryId) {
      const stream = memoryStream(ledger.id, bank, memoryId);
      let memory = cache.get(`${bank}/${memoryId}`) ?? unremembered(memoryId);
      const events: StoredEvent[] = [];
      for await (const stored of ledger.readStream(stream, { from: memory.state.revision + 1 })) events.push(stored);
      const erasedAt = events.findLastIndex(({ type }) => type === 'MemoryErased');
      for (const [at, stored] of events.entries()) {
        const hash = Buffer.from(stored.hash).toString('base64url');
        if (at < erasedAt) {
          const envelope = decodeEnvelope(stored.bytes);
          const event = readEvent(envelope, undefined) as MemoryEvent;
          memory = rememberBlank(memory, event, envelope, hash, stored.position);
        } else {
          const opened = await openEvent(vault, stored.bytes).catch(async (error: unknown) => {
            const { subjects = [] } = decodeEnvelope(stored.bytes);
            if (!isGone(error) || !(await endLate?.(bank, memoryId, subjects))) throw error;
          });
          if (!opened) return memories.upToDate(bank, memoryId);
          memory = remember(memory, opened.event as MemoryEvent, opened.envelope, hash, stored.position);
        }
      }
      if (memory.state.revision >= 0) keep(bank, memory);
      return memory;
    },
    drop(bank, memoryId) {
      cache.delete(`${bank}/${memoryId}`);
    },
  };
  return memories;
}
