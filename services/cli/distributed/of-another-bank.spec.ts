import { expect, it } from 'vitest';
import type { Checkpoint, Generation } from '#views/views.js';
import { ofAnotherBank } from './of-another-bank.js';

/** Two projections of two partitions, each where `positions` says; the memory can be seen once all have passed event 5. */
function lagging(positions: number[]) {
  const position = (at: number) => String(at).padStart(4, '0');
  const generation = (projection: string): Generation => ({
    projection,
    generation: 1,
    version: 1,
    active: true,
    position: undefined,
    systemTime: '',
  });
  return {
    positions,
    views: {
      generations: async () => [generation('memories'), generation('versions')],
      checkpoints: async ({ projection }: { projection: string }): Promise<Checkpoint[]> =>
        positions
          .slice(projection === 'memories' ? 0 : 2, projection === 'memories' ? 2 : 4)
          .map((at) => ({ position: position(at), systemTime: '' })),
    },
    reader: {
      isMemoryOfAnotherBank: async (_bank: string, memoryId: string) =>
        memoryId === 'theirs' && positions.every((at) => at >= 5),
    },
    head: async () => position(5),
  };
}

it('waits for the views of every partition before it says that a memory is nobody’s', async () => {
  const stack = lagging([5, 5, 5, 3]);
  const asked = ofAnotherBank(stack.reader, stack.views, stack.head)('mine', 'theirs');
  setTimeout(() => stack.positions.fill(5), 60);
  await expect(asked).resolves.toBe(true);
});

it('does not wait for what can be seen at once, nor when nothing is behind', async () => {
  const stack = lagging([5, 5, 6, 7]);
  const ask = ofAnotherBank(stack.reader, stack.views, stack.head);
  await expect(ask('mine', 'theirs')).resolves.toBe(true);
  await expect(ask('mine', 'nobody’s')).resolves.toBe(false);
});

it('gives up where projections stand still: the error is told without it', async () => {
  const stack = lagging([1, 1, 1, 1]);
  await expect(ofAnotherBank(stack.reader, stack.views, stack.head)('mine', 'theirs')).resolves.toBe(false);
});
