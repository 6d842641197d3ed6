import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { passageSpace } from '#understanding/embeddings/passages.js';
import { type FakeEmbedder, fakeEmbedder } from '#understanding/embeddings/test-support/fake-embedder.js';
import { docsPerVectorBlock } from '#views/vectors.js';
import { openedVectors } from '../test-support/opened-vectors.js';
import { testHome } from '../test-support/test-home.js';
import { createEmbedding } from './create-embedding.js';

const space = passageSpace({ model: 'fa4e', dimensions: 32 });

it('makes the blocks that are missing in the background when all is embedded, and for that does not load the model', async () => {
  const home = await testHome();
  onTestFinished(() => home.remove());
  const { views, projector } = await home.station();
  const reader = views.reader();
  for (let at = 0; at < docsPerVectorBlock + 5; at++) await home.events.write(`m${at}`, { content: `text ${at}` });
  await projector.catchUp();
  const block = () => reader.vectorBlockFrom!('b1', space, 0);
  const untilThere = async (embedder: FakeEmbedder): Promise<void> => {
    const stop = new AbortController();
    const log = { info: () => undefined, warn: () => undefined };
    const deps = { ledger: home.ledger, vault: home.vault, views, embedder, cache: undefined, log };
    const background = createEmbedding(deps, { firstLook: 0, lookEvery: 20 }).background(stop.signal);
    while ((await block()) === undefined) await sleep(10);
    stop.abort();
    await background;
    expect(await views.lease('embed', 'another', 1_000)).toBe(true);
    await views.release('embed', 'another');
  };
  await untilThere(fakeEmbedder());
  // A vector that is made anew takes its block away.
  const [first] = await reader.vectorsFrom('b1', space, 0, 1);
  const { mark, changes } = await reader.vectorState('b1', space);
  await views.vectors.put('b1', space, { from: { mark, changes }, rows: [first!], mark });
  expect(await block()).toBeUndefined();
  const cold = fakeEmbedder({ cold: true });
  await untilThere(cold);
  expect(cold.warmed).toBe(0);
  expect(await openedVectors(reader, home.vault, 'b1', space)).toHaveLength(docsPerVectorBlock + 5);
}, 60_000);
