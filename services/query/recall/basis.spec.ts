import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import type { SearchInput } from '#contract/search.js';
import { createQueries } from '../create-queries.js';
import type { FakeWrite } from '../test-support/fake-views.js';
import { day, type QuestionBench, questionBench, start } from '../test-support/question-bench.js';

type Step =
  | { readonly do: 'write'; readonly write: FakeWrite }
  | { readonly do: 'forget' | 'restore'; readonly memoryId: string }
  | { readonly do: 'wait'; readonly days: number }
  | { readonly do: 'rebuild' };

const words = ['database', 'staging', 'deploy', 'tea', '数据库', '迁移', '部署计划', 'v2.3.1', 'the', '的'];
const memoryId = fc.constantFrom('m1', 'm2', 'm3', 'm4', 'm5');
const content = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 8 }).map((each) => each.join(' '));
const moment = fc.integer({ min: -20, max: 40 }).map((days) => start + days * day);

const write = fc
  .record(
    {
      memoryId,
      content,
      tags: fc.subarray(['red', 'blue']),
      validFrom: moment,
      lasts: fc.integer({ min: 1, max: 20 }),
      expiresAt: moment,
    },
    { requiredKeys: ['memoryId', 'content'] },
  )
  .map(({ lasts, ...fields }) => ({
    ...fields,
    ...(lasts && fields.validFrom !== undefined ? { validTo: fields.validFrom + lasts * day } : {}),
  }));

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: write.map((each) => ({ do: 'write' as const, write: each })) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('forget' as const), memoryId }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('restore' as const), memoryId }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), days: fc.integer({ min: 0, max: 5 }) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'rebuild' as const }) },
);

const question: fc.Arbitrary<SearchInput> = fc.record(
  {
    query: content,
    top_k: fc.integer({ min: 1, max: 10 }),
    tags: fc.subarray(['red', 'blue'], { minLength: 1 }),
    valid_at: moment.map((at) => new Date(at).toISOString()),
    include: fc.subarray(['superseded', 'retracted', 'expired'] as const),
    explain: fc.boolean(),
  },
  { requiredKeys: ['query'] },
);

async function live(bench: QuestionBench, steps: readonly Step[]): Promise<void> {
  for (const each of steps) {
    bench.now += 1000;
    if (each.do === 'write') await bench.views.write(each.write, bench.now);
    else if (each.do === 'forget') await bench.views.forget(each.memoryId, 'spec', bench.now);
    else if (each.do === 'restore') await bench.views.restore(each.memoryId, 'spec', bench.now);
    else if (each.do === 'wait') bench.now += each.days * day;
    else bench.rebuild();
  }
}

const history = fc.array(step, { maxLength: 25 });

test.prop([history, fc.array(question, { minLength: 1, maxLength: 4 }), history], { numRuns: 150 })(
  'the same basis gives the same items, order and scores, whatever happened since',
  async (before, questions, after) => {
    const bench = questionBench();
    await live(bench, before);
    const answers = [];
    for (const each of questions) answers.push(await bench.queries.search(each, bench.caller));
    await live(bench, after);
    for (const [at, { items, basis }] of answers.entries()) {
      const again = await bench.queries.search({ ...questions[at]!, basis }, bench.caller);
      expect(again.items).toEqual(items);
      expect(again.basis).toBe(basis);
      bench.rebuild();
      expect((await bench.queries.search({ ...questions[at]!, basis }, bench.caller)).items).toEqual(items);
    }
  },
  60_000,
);

test.prop([history, history], { numRuns: 60 })(
  'as_of a time is what a question at that time rested on, but for what had not been said to be true by then',
  async (before, after) => {
    const bench = questionBench();
    await live(bench, before);
    bench.now += 1000;
    const then = bench.now;
    const asked = { query: words.join(' '), top_k: 100 };
    const { items } = await bench.queries.search(asked, bench.caller);
    await live(bench, after);
    const again = await bench.queries.search({ ...asked, as_of: new Date(then).toISOString() }, bench.caller);
    expect(again.items).toEqual(items);
  },
  60_000,
);

/** What is true of a memory at a moment, said as simply as it can be: the last write that covers it. */
function naive(steps: readonly { step: Step; at: number }[], validAt: number): Map<string, string> {
  const holds = new Map<string, string>();
  for (const id of ['m1', 'm2', 'm3', 'm4', 'm5']) {
    let retracted = false;
    let said: FakeWrite[] = [];
    for (const { step: each, at } of steps) {
      if (each.do === 'write' && each.write.memoryId === id) {
        said = [...(retracted ? [] : said), { ...each.write, validFrom: each.write.validFrom ?? at }];
        retracted = false;
      }
      if (said.length && each.do === 'forget' && each.memoryId === id) retracted = true;
      if (said.length && each.do === 'restore' && each.memoryId === id) retracted = false;
    }
    const last = said.findLast((each) => each.validFrom! <= validAt && validAt < (each.validTo ?? Infinity));
    if (last && !retracted && (last.expiresAt ?? Infinity) > validAt) holds.set(id, last.content);
  }
  return holds;
}

test.prop([history, fc.option(moment, { nil: undefined })], { numRuns: 150 })(
  'agrees with the naive model on what is true at a moment',
  async (steps, validAt) => {
    const bench = questionBench();
    const happened: { step: Step; at: number }[] = [];
    for (const each of steps) {
      await live(bench, [each]);
      happened.push({ step: each, at: bench.now });
    }
    const found = await bench.queries.search(
      {
        query: words.join(' '),
        top_k: 100,
        min_score: 0,
        valid_at: validAt === undefined ? undefined : new Date(validAt).toISOString(),
      },
      bench.caller,
    );
    const expected = [...naive(happened, validAt ?? bench.now)].filter(([, text]) => !/^(the|的| )*$/.test(text));
    for (const { id, content } of found.items) expect([id, content]).toEqual([id, new Map(expected).get(id)]);
    // Those that say the same stand together.
    expect(found.items.flatMap(({ id, also }) => [id, ...(also ?? [])]).sort()).toEqual(
      expected.map(([id]) => id).sort(),
    );
  },
  60_000,
);

test.prop([history], { numRuns: 100 })(
  'answers after every step, from what it has in memory, as a fresh process would',
  async (steps) => {
    const bench = questionBench();
    const asked = { query: words.join(' '), top_k: 100, include: ['superseded', 'retracted', 'expired'] as const };
    for (const each of steps) {
      await live(bench, [each]);
      const { items, basis } = await bench.queries.search({ ...asked, include: [...asked.include] }, bench.caller);
      const fresh = await bench.freshQueries().search({ ...asked, include: [...asked.include], basis }, bench.caller);
      expect(items).toEqual(fresh.items);
    }
  },
  60_000,
);

test('a point that is projected while the question looks it up is answered whole, and so is whoever asks after it', async () => {
  const bench = questionBench('strict');
  await bench.views.write({ memoryId: 'm1', content: 'tea' }, start);
  const views = bench.views.reader();
  const queries = createQueries({
    ...bench.deps,
    reader: () => ({
      ...views,
      async momentAtTime(...asked) {
        await bench.views.write({ memoryId: 'm2', content: 'deploy' }, start + 1000);
        return views.momentAtTime(...asked);
      },
    }),
  });
  bench.now = start + 2000;
  const asked = { query: 'deploy', as_of: new Date(start + 2000).toISOString() };
  const first = await queries.search(asked, bench.caller);
  expect(first.items).toMatchObject([{ content: 'deploy' }]);
  const { basis } = first;
  for (const each of [queries, bench.freshQueries()])
    expect((await each.search({ query: 'deploy', basis }, bench.caller)).items).toEqual(first.items);
});
