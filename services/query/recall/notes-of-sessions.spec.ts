import { expect, it } from 'vitest';
import { questionBench } from '../test-support/question-bench.js';
import { manySessions } from './ranking/session-scores.js';

/** Notes, one a session: the first is asked for, the second has a word of it, the others none. */
async function noted(sessions: number) {
  const bench = questionBench();
  for (let place = 0; place < sessions; place++) {
    const content =
      place === 0 ? 'The grinder is in the pantry.' : place === 1 ? 'A pantry needs paint.' : `Item ${place}.`;
    await bench.views.write({ memoryId: `m${place}`, session: `s${place}`, content }, bench.now);
  }
  const sessionOf = async (memoryId: string, basis?: string) => {
    const input = {
      query: 'grinder in the pantry',
      min_score: 0,
      explain: true,
      top_k: 100,
      ...(basis ? { basis } : {}),
    };
    const found = await bench.queries.search(input, bench.caller);
    return {
      basis: found.basis,
      value: found.items.find(({ id }) => id === memoryId)?.explain?.features?.session?.value,
    };
  };
  return { bench, sessionOf };
}

it('takes from a note of the least of a few sessions what so many say, and all of it once there are many', async () => {
  for (const sessions of [2, 20, manySessions, manySessions + 20]) {
    const { sessionOf } = await noted(sessions);
    expect((await sessionOf('m0')).value).toBe(1);
    // Of the sessions that words find, that of the second fits least.
    expect((await sessionOf('m1')).value ?? 0).toBeCloseTo(1 - Math.min(1, sessions / manySessions), 12);
  }
});

it('counts the sessions that there were at the basis', async () => {
  const { bench, sessionOf } = await noted(20);
  const { basis, value } = await sessionOf('m1');
  for (let place = 0; place < 60; place++)
    await bench.views.write({ memoryId: `n${place}`, session: `n${place}`, content: `Thing ${place}.` }, bench.now);
  expect((await sessionOf('m1')).value).toBeCloseTo(0.2, 12);
  expect((await sessionOf('m1', basis)).value).toBe(value);
});
