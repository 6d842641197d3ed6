import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createProjector } from './create-projector.js';
import { testHome } from './test-support/test-home.js';

it('projects in the background in bounded slices, with a turn of the event loop between any two', async () => {
  const home = await testHome();
  try {
    for (let index = 0; index < 120; index++) await home.events.write(`m${index}`, { content: `step ${index}` });
    const { views } = await home.station();
    let turns = 0;
    const slices: { turn: number; docs: number }[] = [];
    const ending = new AbortController();
    const target = await home.ledger.head();
    const projector = createProjector({
      ledger: home.ledger,
      vault: home.vault,
      log: { info: () => undefined, warn: () => undefined },
      views: {
        ...views,
        async commit(changes) {
          await views.commit(changes);
          const keywords = changes.find(({ id }) => id.projection === 'keywords');
          slices.push({ turn: turns, docs: keywords?.numbers.get('b1')?.docs ?? 0 });
          if (keywords?.to.position === target) ending.abort();
        },
      },
    });
    const running = projector.background(ending.signal);
    while (!ending.signal.aborted) {
      await turn();
      turns++;
    }
    await running;
    const sizes = slices.map(({ docs }, index) => docs - (slices[index - 1]?.docs ?? 0));
    expect(sizes[0]).toBe(16);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(120);
    for (const [index, size] of sizes.slice(1).entries()) expect(size).toBeLessThanOrEqual(2 * sizes[index]!);
    expect(new Set(slices.map((slice) => slice.turn)).size).toBe(slices.length);
    await projector.close();
  } finally {
    await home.remove();
  }
});
