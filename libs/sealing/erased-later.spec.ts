import { expect, it } from 'vitest';
import { HindsightError } from '#contract/errors.js';
import type { Ledger, StoredEvent } from '#ledger/ledger.js';
import { erasedLater } from './erased-later.js';

const gone = new HindsightError('key_not_found', 'A key is not in the key store.');
const memory = 'hl.0123456789abcdef.b1.memory-0c1f2f3a';
const beside = 'hl.0123456789abcdef.b1.understanding-0c1f2f3a';

/** A ledger with these types of events, by stream, oldest first. */
function holding(streams: Readonly<Record<string, readonly string[]>>): Pick<Ledger, 'readStream'> {
  return {
    async *readStream(stream) {
      const types = streams[stream] ?? [];
      for (let revision = types.length - 1; revision >= 0; revision--)
        yield { stream, revision, type: types[revision]! } as StoredEvent;
    },
  };
}

it('takes what stood before the erasure of its memory for erased, and nothing that came after', async () => {
  const isErased = erasedLater(holding({ [memory]: ['MemoryRecorded', 'MemoryErased', 'MemoryRevised'] }));
  expect(await isErased({ stream: memory, revision: 0 }, gone)).toBe(true);
  expect(await isErased({ stream: memory, revision: 2 }, gone)).toBe(false);
});

it('takes what a model found in an erased memory for erased, though no erasure stands in its own stream', async () => {
  const erased = erasedLater(holding({ [memory]: ['MemoryRecorded', 'MemoryErased'], [beside]: ['MemoryEnriched'] }));
  expect(await erased({ stream: beside, revision: 0 }, gone)).toBe(true);
  const living = erasedLater(holding({ [memory]: ['MemoryRecorded'], [beside]: ['MemoryEnriched'] }));
  expect(await living({ stream: beside, revision: 0 }, gone)).toBe(false);
});

it('takes nothing for erased that fails otherwise', async () => {
  const isErased = erasedLater(holding({ [memory]: ['MemoryRecorded', 'MemoryErased'] }));
  expect(await isErased({ stream: memory, revision: 0 }, new Error('disk'))).toBe(false);
});
