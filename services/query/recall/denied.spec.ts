import { expect, it } from 'vitest';
import { day, type QuestionBench, questionBench, start } from '../test-support/question-bench.js';

/** The first is the better one by how it fared. */
async function bankOf(first: string, second: string): Promise<QuestionBench> {
  const bench = questionBench();
  await bench.views.write({ memoryId: 'm1', content: first }, bench.now);
  bench.now = start + day;
  await bench.views.write({ memoryId: 'm2', content: second }, bench.now);
  for (let at = 0; at < 5; at++) await bench.views.rate('m1', 'success', `p${at}`, bench.now);
  return bench;
}

async function answer(bench: QuestionBench, top_k?: number) {
  const { items } = await bench.queries.search(
    { query: 'gateway retries', explain: true, ...(top_k ? { top_k } : {}) },
    bench.caller,
  );
  return items.map(({ id, also, score, explain }) => ({ id, also, score, why: explain!.why }));
}

it.each([
  ['The gateway must retry.', 'The gateway must not retry.'],
  ['The gateway must not retry.', 'The gateway must retry.'],
])('stands before what it denies, at its score, and says so: %j, then %j', async (earlier, later) => {
  const bench = await bankOf(earlier, later);
  const [first, second] = await answer(bench);
  expect([first!.id, second!.id]).toEqual(['m2', 'm1']);
  expect(first!.score).toBe(second!.score);
  expect([first!.also, second!.also]).toEqual([undefined, undefined]);
  expect(first!.why).toEqual([expect.stringContaining('Says otherwise than m1')]);
  expect(second!.why).toBeUndefined();
  expect((await answer(bench, 1)).map(({ id }) => id)).toEqual(['m2']);
});

it('says nothing of who came later where the words are others', async () => {
  const bench = await bankOf('The gateway must retry.', 'The gateway must not log retries of jobs.');
  expect((await answer(bench)).map(({ id, why }) => [id, why])).toEqual([
    ['m1', undefined],
    ['m2', undefined],
  ]);
});
