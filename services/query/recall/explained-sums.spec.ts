import { expect, it } from 'vitest';
import type { MemoryItem } from '#contract/memory-item.js';
import { fakeEmbedder } from '#understanding/embeddings/test-support/fake-embedder.js';
import { day, type QuestionBench, questionBench, start } from '../test-support/question-bench.js';
import { learned } from './ranking/learned-weights.js';

const embedder = fakeEmbedder();
const intercepts = Object.values(learned).flatMap(({ vectors, keywords }) => [vectors.intercept, keywords.intercept]);

async function bankOf(...contents: string[]): Promise<QuestionBench> {
  const bench = questionBench('strict', () => ({ embedder }));
  for (const [place, content] of contents.entries()) {
    bench.now = start + place * day;
    await bench.views.write({ memoryId: `m${place}`, content }, bench.now);
  }
  return bench;
}

async function explainedOf(bench: QuestionBench, query: string): Promise<MemoryItem[]> {
  return (await bench.queries.search({ query, min_score: 0, top_k: 50, explain: true }, bench.caller)).items;
}

/** What is left of an item's score, in the logarithm of the odds, once all that explain tells of is taken away. */
function untold({ score, explain }: MemoryItem): number {
  const told = Object.values(explain!.features!).reduce((total, { value, weight }) => total + value * weight, 0);
  return Math.log(score! / (1 - score!)) - told;
}

function nearest(number: number): number {
  return Math.min(...intercepts.map((each) => Math.abs(each - number)));
}

it('tells how a memory fared, which moves it past another', async () => {
  const bench = await bankOf('Rosa leads the platform team', 'Ken leads the platform group');
  for (let at = 0; at < 5; at++) await bench.views.rate('m0', 'wrong', `p${at}`, bench.now);
  const items = await explainedOf(bench, 'who leads the platform?');
  expect(items.map(({ id, explain }) => [id, explain!.features!.feedback?.weight])).toEqual([
    ['m1', undefined],
    ['m0', 1],
  ]);
  for (const item of items) expect(nearest(untold(item))).toBeLessThan(1e-6);
});

it('tells the parts that a score was made of, where words decided and where vectors did', async () => {
  const many = Array.from({ length: 20 }, (_, at) => `Berlin has a gallery, number ${at} of the list`);
  const bench = await bankOf('Rosa paints in Berlin', 'Ken sails', 'Tea is in the cupboard', ...many);
  await bench.views.embed(embedder);
  for (const query of ['Rosa', 'Rosa Berlin', 'who paints in a gallery?', 'where is the tea?']) {
    const items = await explainedOf(bench, query);
    expect(items.length).toBeGreaterThan(0);
    for (const item of items.filter(({ also }) => !also)) expect(nearest(untold(item)), query).toBeLessThan(1e-6);
  }
});
