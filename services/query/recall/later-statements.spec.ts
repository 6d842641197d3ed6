import { expect, it } from 'vitest';
import type { SearchInput } from '#contract/search.js';
import { day, type QuestionBench, questionBench, start } from '../test-support/question-bench.js';

const limit = 'Our limit of parallel exports is 40, and the limit of exports holds for all parallel exports of a day.';
const raised = 'Since the audit we raised it: the limit of parallel exports is 65, and everybody was told about it.';
const mention = 'The limit of parallel exports was a topic of 3 meetings.';
const other = 'We raised the limit of the canteen by 20 percent.';

async function said(...contents: string[]): Promise<QuestionBench> {
  return spoken('Ann: ', contents);
}

async function spoken(
  speaker: string,
  contents: readonly string[],
  sessionAt = (place: number) => `s${place}`,
): Promise<QuestionBench> {
  const bench = questionBench();
  for (const [place, content] of contents.entries()) {
    bench.now = start + place * day;
    await bench.views.write(
      { memoryId: `m${place + 1}`, session: sessionAt(place), content: `${speaker}${content}` },
      bench.now,
    );
  }
  return bench;
}
const asked = (bench: QuestionBench, input: SearchInput) =>
  bench.queries.search({ min_score: 0, explain: true, ...input }, bench.caller);
const ids = async (bench: QuestionBench, query: string) =>
  (await asked(bench, { query })).items.map(({ id }) => id).slice(0, 2);

it('puts a later statement that tells of a change before the fuller earlier one, at its score, and says so', async () => {
  const bench = await said(limit, raised, other);
  const { items } = await asked(bench, { query: 'What is the limit of parallel exports?' });
  expect(items.map(({ id }) => id).slice(0, 2)).toEqual(['m2', 'm1']);
  expect(items[0]!.score).toBe(items[1]!.score);
  expect(items[0]!.explain!.why).toEqual([expect.stringContaining('m1')]);
  expect(items[1]!.explain!.why).toBeUndefined();
});

it('leaves the order where the question asks what was, or for something else than how it stands', async () => {
  const bench = await said(limit, raised, other);
  for (const query of ['What was the limit of parallel exports originally?', 'limit of parallel exports'])
    expect(await ids(bench, query)).toEqual(['m1', 'm2']);
});

it('leaves the order where the later one tells of no change, or came before', async () => {
  expect(await ids(await said(limit, mention, other), 'What is the limit of parallel exports?')).toEqual(['m1', 'm2']);
  expect(await ids(await said(raised, limit, other), 'What is the limit of parallel exports?')).toEqual(['m2', 'm1']);
});

it('raises nothing that is about something else, and never lets scores rise down the list', async () => {
  const bench = await said(limit, other, raised, mention);
  const { items } = await asked(bench, { query: 'What is the limit of parallel exports?' });
  const scores = items.map(({ score }) => score!);
  expect(scores).toEqual([...scores].sort((one, another) => another - one));
  expect(items.map(({ id }) => id).indexOf('m2')).toBeGreaterThan(1);
});

it('answers at a basis from before the change as it did then', async () => {
  const bench = await said(limit, mention, other);
  const before = await asked(bench, { query: 'What is the limit of parallel exports?' });
  await bench.views.write({ memoryId: 'm9', session: 's9', content: `Ann: ${raised}` }, bench.now + day);
  const { items } = await asked(bench, { query: 'What is the limit of parallel exports?', basis: before.basis });
  expect(items).toEqual(before.items);
});

it('leaves facts alone that nobody says: shared words say too little of them', async () => {
  expect(await ids(await spoken('', [limit, raised, other]), 'What is the limit of parallel exports?')).toEqual([
    'm1',
    'm2',
  ]);
});

it.each([
  ['What is the budget?', 'The budget is 50k: that is the budget of the year.', 'They raised the budget to 65k.'],
  ['When is the retro?', 'The retro is on Tuesday, the retro of all teams.', 'The retro moved to Thursday.'],
  ['团建在哪天？', '团建定在十五日，今年的团建大家都来。', '团建改到十八日了。'],
])('puts the change first where one word is asked for: %s', async (query, ...contents) => {
  expect(await ids(await spoken('Ann: ', contents, () => 'chat'), query)).toEqual(['m2', 'm1']);
});

it('takes no later mention for the place of what a question names by one word', async () => {
  const bench = await said('Our office is in Hamburg, near the harbour.', 'We have a new kettle in the office.', other);
  const { items } = await asked(bench, { query: 'Where is the office?' });
  expect(items.map(({ id, explain }) => [id, explain!.why])).toContainEqual(['m2', undefined]);
});

it('finds the change where it was told in the other of two sessions', async () => {
  const bench = await said('The launch of Falcon is on 15 November.', 'The Falcon launch slipped to 2 December.');
  const { items } = await bench.queries.search({ query: 'When is the launch of Falcon?', explain: true }, bench.caller);
  expect(items.map(({ id }) => id)).toEqual(['m2', 'm1']);
  expect(items[0]!.explain!.features!.session!.value).toBeCloseTo(0.8, 12);
  expect(items[1]!.explain!.features!.session!.value).toBe(1);
});
