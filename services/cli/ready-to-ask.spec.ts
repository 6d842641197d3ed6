import { expect, it } from 'vitest';
import { fakeEmbedder } from '#understanding/embeddings/test-support/fake-embedder.js';
import { readyToAsk } from './ready-to-ask.js';

const space = { model: 'fa4e', dimensions: 32 };
const asking = (made: boolean) => ({
  reader: { vectorSpaces: async () => (made ? [space] : []) },
  projector: { catchUp: async () => undefined },
  bank: 'b1',
});

it('loads the model before one question where vectors were made', async () => {
  const cold = fakeEmbedder({ cold: true });
  await readyToAsk({ embedder: cold, ...asking(true) });
  expect(cold.state().state).toBe('ready');
});

it('loads nothing where none were made, nor where nothing embeds', async () => {
  const cold = fakeEmbedder({ cold: true });
  await readyToAsk({ embedder: cold, ...asking(false) });
  expect(cold.warmed).toBe(0);
  await readyToAsk(asking(true));
});

it('waits no longer than it is told to, whether the model is slow or fails', async () => {
  const never = { ...fakeEmbedder(), space: () => new Promise<never>(() => undefined) };
  const began = performance.now();
  await readyToAsk({ embedder: never, ...asking(true) }, 50);
  expect(performance.now() - began).toBeLessThan(2_000);
  const failing = fakeEmbedder();
  failing.fail('away');
  await readyToAsk({ embedder: failing, ...asking(true) }, 60_000);
});

it('embeds what was written since, and stops where that takes too long', async () => {
  const done: string[] = [];
  const quick = { untilDone: async () => void done.push('embedded') };
  await readyToAsk({ embedder: fakeEmbedder(), embedding: quick, ...asking(false) });
  expect(done).toEqual(['embedded']);
  let stopped = false;
  const slow = {
    untilDone: ({ signal }: { signal?: AbortSignal } = {}) =>
      new Promise<void>((resolve) => {
        signal?.addEventListener('abort', () => {
          stopped = true;
          resolve();
        });
      }),
  };
  await readyToAsk({ embedder: fakeEmbedder(), embedding: slow, ...asking(true) }, 30);
  expect(stopped).toBe(true);
});
