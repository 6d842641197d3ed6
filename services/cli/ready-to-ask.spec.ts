import { expect, it } from 'vitest';
import { fakeEmbedder } from '#understanding/embeddings/test-support/fake-embedder.js';
import { readyToAsk } from './ready-to-ask.js';

const space = { model: 'fa4e', dimensions: 32 };
const reader = (made: boolean) => ({ vectorSpaces: async () => (made ? [space] : []) });

it('loads the model before one question where vectors were made', async () => {
  const cold = fakeEmbedder({ cold: true });
  await readyToAsk(cold, reader(true), 'b1');
  expect(cold.state().state).toBe('ready');
});

it('loads nothing where none were made, nor where nothing embeds', async () => {
  const cold = fakeEmbedder({ cold: true });
  await readyToAsk(cold, reader(false), 'b1');
  expect(cold.warmed).toBe(0);
  await readyToAsk(undefined, reader(true), 'b1');
});

it('waits no longer than it is told to, whether the model is slow or fails', async () => {
  const never = { ...fakeEmbedder(), space: () => new Promise<never>(() => undefined) };
  const began = performance.now();
  await readyToAsk(never, reader(true), 'b1', 50);
  expect(performance.now() - began).toBeLessThan(2_000);
  const failing = fakeEmbedder();
  failing.fail('away');
  await readyToAsk(failing, reader(true), 'b1', 60_000);
});
