import { expect, it } from 'vitest';
import { questionBench, start } from '../test-support/question-bench.js';

it('serves every line of a list, though by words alone all of them fit as well', async () => {
  const bench = questionBench();
  for (let at = 0; at < 30; at++)
    await bench.views.write({ memoryId: `m${at}`, content: `Invoice ${at + 10} was paid` }, start + at);
  const { items } = await bench.queries.search({ query: 'paid invoices', top_k: 20, min_score: 0 }, bench.caller);
  expect(items.map(({ content }) => content)).toEqual(
    Array.from({ length: 20 }, (_, at) => `Invoice ${39 - at} was paid`),
  );
});

it('lets copies of one text crowd out nothing else', async () => {
  const bench = questionBench();
  await bench.views.write({ memoryId: 'other', content: 'Invoices go out on Fridays, by mail' }, start);
  for (let at = 0; at < 200; at++)
    await bench.views.write({ memoryId: `m${at}`, content: 'The invoice was paid' }, start + 1 + at);
  const { items } = await bench.queries.search({ query: 'paid invoices', min_score: 0 }, bench.caller);
  expect(items.map(({ content }) => content)).toEqual(['The invoice was paid', 'Invoices go out on Fridays, by mail']);
  expect(items[0]!.also!.length).toBeGreaterThan(5);
});
