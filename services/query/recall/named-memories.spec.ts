import { expect, it } from 'vitest';
import { fakeEmbedder } from '#understanding/embeddings/test-support/fake-embedder.js';
import { day, type QuestionBench, questionBench, start } from '../test-support/question-bench.js';

const ids = async (bench: QuestionBench, query: string) =>
  (await bench.queries.search({ query }, bench.caller)).items.map(({ id }) => id);

async function bench(): Promise<QuestionBench> {
  const embedder = fakeEmbedder();
  const made = questionBench('strict', () => ({ embedder }));
  for (let at = 0; at < 40; at++)
    await made.views.write(
      { memoryId: `ticket${at}`, content: `Ticket ${at}: the router of floor ${at} lost its wifi password` },
      start,
    );
  await made.views.write({ memoryId: 'wifi', key: 'wifi.password', content: 'blue-hunter-72' }, start);
  await made.views.write({ memoryId: 'day', key: '部署日', content: '星期四' }, start);
  await made.views.write(
    { memoryId: 'pnpm', content: 'Use pnpm, never npm', tags: ['conventions', 'package-manager'] },
    start,
  );
  await made.views.embed(embedder);
  return made;
}

it('are found first by their key, as it is written and in a question', async () => {
  const made = await bench();
  for (const query of ['wifi.password', 'wifi password', 'what is the wifi password?'])
    expect((await ids(made, query))[0], query).toBe('wifi');
  for (const query of ['部署日', '部署日是哪天？']) expect((await ids(made, query))[0], query).toBe('day');
});

it('are found by their tags, and say why', async () => {
  const made = await bench();
  for (const query of ['conventions', 'package-manager']) expect((await ids(made, query))[0], query).toBe('pnpm');
  const { items } = await made.queries.search({ query: 'conventions', explain: true }, made.caller);
  expect(items[0]!.explain!.why).toEqual([expect.stringContaining('tags')]);
});

it('are not served where the question is about something else', async () => {
  const made = await bench();
  expect(await ids(made, 'which conventions hold for the router of floor 7?')).not.toContain('pnpm');
});

it('are found by their time, or by a filter, where a question asks for whatever there is', async () => {
  const made = questionBench();
  for (const [place, content] of ['The kiln was repaired.', 'Maria called about the invoice.', '茶壶碎了。'].entries())
    await made.views.write({ memoryId: `m${place}`, session: `s${place}`, content }, start + place * day);
  made.now = start + 10 * day;
  const of = (place: number) => new Date(start + place * day).toISOString().slice(0, 10);
  expect(await ids(made, `What happened on ${of(1)}?`)).toEqual(['m1']);
  expect(await ids(made, `${of(2)}发生了什么？`)).toEqual(['m2']);
  expect(await ids(made, 'What happened on 2021-01-01?')).toEqual([]);
  const { items } = await made.queries.search({ query: 'what do you know?', session_id: 's0' }, made.caller);
  expect(items.map(({ id }) => id)).toEqual(['m0']);
  expect(await ids(made, 'what do you know?')).toEqual([]);
});
