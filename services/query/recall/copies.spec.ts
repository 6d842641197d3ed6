import { expect, it } from 'vitest';
import type { SearchInput } from '#contract/search.js';
import { fakeEmbedder } from '#understanding/embeddings/test-support/fake-embedder.js';
import { day, questionBench, start } from '../test-support/question-bench.js';

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

/** Who was on call, week by week, in one memory; a copy of its last week's text in another. */
async function rota(weeks: number, deps: { embedder?: ReturnType<typeof fakeEmbedder> } = {}) {
  const bench = questionBench('strict', () => deps);
  const names = ['Tomás', 'Priya'];
  for (let week = 0; week < weeks; week++)
    await bench.views.write(
      {
        memoryId: 'rota',
        key: 'oncall',
        content: `${names[week % 2]} is on call this week`,
        validFrom: start + week * 7 * day,
      },
      start + week * 7 * day,
    );
  await bench.views.write(
    { memoryId: 'copy', key: 'oncall', content: 'Priya is on call this week', validFrom: start },
    start + weeks * 7 * day,
  );
  if (deps.embedder) await bench.views.embed(deps.embedder);
  bench.now = start + weeks * 7 * day + day;
  const ask = async (more: Partial<SearchInput>) =>
    (await bench.queries.search({ query: 'Who is on call?', top_k: 50, min_score: 0, ...more }, bench.caller)).items;
  return {
    ask,
    during: (from: number, to: number) => ({ from: new Date(from).toISOString(), to: new Date(to).toISOString() }),
  };
}

it.each([{}, { embedder: fakeEmbedder() }])(
  'serves every version that held within a stretch of time, though their texts are the same, and folds copies of other memories',
  async (deps) => {
    const weeks = 24;
    const { ask, during } = await rota(weeks, deps);
    const items = await ask({ valid_during: during(start, start + weeks * 7 * day) });
    const versions = items.filter(({ id }) => id === 'rota').map(({ version }) => version);
    // The last week, which is current, is told by the newer copy of the same text: both are true at the end.
    expect(versions.sort((one, other) => one - other)).toEqual(Array.from({ length: weeks - 1 }, (_, at) => at + 1));
    const copy = items.find(({ id }) => id === 'copy')!;
    expect(copy.also).toEqual(['rota']);
    expect(items.filter(({ id }) => id === 'rota').every(({ also }) => also === undefined)).toBe(true);
  },
);

it('marks what was replaced within the stretch as superseded, as a moment at its end does', async () => {
  const { ask, during } = await rota(4);
  const statuses = async (more: Partial<SearchInput>) =>
    (await ask({ query: 'Tomás on call', ...more }))
      .filter(({ id }) => id === 'rota')
      .map(({ version, status, valid_from, valid_to }) => [version, status, valid_from, valid_to])
      .sort();
  const end = start + 21 * day;
  const stretch = await statuses({ valid_during: during(start + 8 * day, end), include: ['superseded'] });
  const moment = await statuses({ valid_at: new Date(end - 1).toISOString(), include: ['superseded'] });
  expect(stretch).toEqual(moment);
  expect(stretch.map(([version, status]) => [version, status])).toEqual([
    [1, 'superseded'],
    [2, 'superseded'],
    [3, 'current'],
  ]);
  // What held within the stretch is served whatever is included.
  expect((await statuses({ valid_during: during(start + 8 * day, end) })).map(([version]) => version)).toEqual([2, 3]);
});
