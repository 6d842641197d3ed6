import { fc, test } from '@fast-check/vitest';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SearchInput } from '#contract/search.js';
import { createQueries } from '#query/create-queries.js';
import { day, questionBench, start } from '#query/test-support/question-bench.js';
import { type HotBench, hotBench, until } from './test-support/hot-bench.js';

let bench: HotBench;
beforeAll(async () => {
  bench = await hotBench();
});
afterAll(() => bench[Symbol.asyncDispose]());

const words = ['database', 'staging', 'deploy', 'tea', '数据库', '迁移', 'v2.3.1'];
const content = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 5 }).map((each) => each.join(' '));
const moment = fc.integer({ min: -10, max: 20 }).map((days) => start + days * day);
const isoMoment = moment.map((at) => new Date(at).toISOString());

const write = fc.record(
  {
    memoryId: fc.constantFrom('m1', 'm2', 'm3', 'm4'),
    content,
    key: fc.constantFrom('k1', 'k2'),
    kind: fc.constantFrom('semantic' as const, 'episodic' as const),
    tags: fc.subarray(['red', 'blue']),
    session: fc.constantFrom('s1', 's2'),
    subjects: fc.subarray(['Ann Lee']),
    occurredAt: moment,
    expiresAt: moment,
  },
  { requiredKeys: ['memoryId', 'content'] },
);

const question: fc.Arbitrary<SearchInput> = fc.record(
  {
    query: fc.constantFrom('database staging', 'tea', '数据库 迁移', 'Database staging', 'deploy \ud83d'),
    top_k: fc.constantFrom(1, 3),
    min_score: fc.constantFrom(0, 0.2),
    kinds: fc.subarray(['semantic', 'episodic'] as const, { minLength: 1 }),
    tags: fc.subarray(['red', 'blue'], { minLength: 1 }),
    session_id: fc.constantFrom('s1', 's2'),
    subject: fc.constant('Ann Lee'),
    valid_at: isoMoment,
    as_of: isoMoment,
    include: fc.subarray(['superseded', 'retracted', 'expired'] as const),
    explain: fc.boolean(),
  },
  { requiredKeys: ['query'] },
);

type Step =
  | { readonly write: typeof write extends fc.Arbitrary<infer W> ? W : never }
  | { readonly forget: string }
  | 'later'
  | 'rebuild'
  | 'purge';
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: write.map((each) => ({ write: each })) },
  { weight: 1, arbitrary: fc.constantFrom('m1', 'm2').map((forget) => ({ forget })) },
  { weight: 1, arbitrary: fc.constantFrom('later' as const, 'rebuild' as const, 'purge' as const) },
);

let benches = 0;

test.prop(
  [
    fc.array(fc.tuple(fc.array(step, { maxLength: 4 }), fc.array(question, { minLength: 1, maxLength: 4 })), {
      minLength: 1,
      maxLength: 6,
    }),
  ],
  { numRuns: 40 },
)('every search, kept or not, answers as without a cache', async (rounds) => {
  const bank = `b${++benches}`;
  const plain = questionBench('strict', () => ({}));
  // Two processes, on the same views and cache.
  const cached = [0, 1].map(() =>
    createQueries({
      ...plain.deps,
      answers: { answer: (_bank, asked, compute) => hot().answers.answer('b1', [bank, asked], compute) },
      reader: (stamp) => hot().reader(plain.views.reader(), `${bank} ${stamp}`),
    }),
  );
  const hot = () => bench.over(plain.deps.vault);
  for (const [steps, questions] of rounds) {
    for (const each of steps) {
      plain.now += 1000;
      if (each === 'later') plain.now += 3 * day;
      else if (each === 'rebuild') plain.rebuild();
      else if (each === 'purge') await hot().purge('b1');
      else if ('write' in each) await plain.views.write(each.write, plain.now);
      else await plain.views.forget(each.forget, 'spec', plain.now);
    }
    for (const { as_of, ...others } of questions) {
      // A question about the future is refused.
      const now = new Date(plain.now).toISOString();
      const asked = as_of === undefined ? others : { ...others, as_of: [as_of, now].sort()[0]! };
      for (const again of [0, 1, 2]) {
        const wanted = await plain.queries.search(asked, plain.caller);
        const given = await cached[again % 2]!.search({ ...asked }, plain.caller);
        expect(given.items).toEqual(wanted.items);
        expect(given.basis).toEqual(wanted.basis);
        const repeated = await cached[0]!.search({ ...asked, as_of: undefined, basis: wanted.basis }, plain.caller);
        expect(repeated.items).toEqual(wanted.items);
        plain.now += 7;
      }
    }
    for (const key of ['k1', 'k2']) {
      const wanted = await plain.queries.history({ key }, plain.caller).catch((error: Error) => error.message);
      const given = await cached[0]!.history({ key }, plain.caller).catch((error: Error) => error.message);
      expect(given).toEqual(wanted);
    }
  }
});

it('met the cache often enough for that to mean something', () => {
  for (const kind of ['answer', 'version'] as const)
    for (const outcome of ['hit', 'miss'] as const) expect(bench.count(kind, outcome)).toBeGreaterThan(3);
});

it('finds again, seconds later, what was asked before, and reads no postings for it', async () => {
  let postings = 0;
  const plain = questionBench('strict', () => ({}));
  await plain.views.write({ memoryId: 'm1', content: 'tea' }, start);
  const hot = bench.over(plain.deps.vault);
  const reader = plain.views.reader();
  const fresh = () =>
    createQueries({
      ...plain.deps,
      answers: { answer: (_bank, asked, compute) => hot.answers.answer('b1', ['later', asked], compute) },
      reader: () => ({
        ...reader,
        postings: (...given) => {
          postings += 1;
          return reader.postings(...given);
        },
      }),
    });
  await fresh().search({ query: 'tea' }, plain.caller);
  await until(async () => {
    plain.now += 1000;
    const before = postings;
    expect((await fresh().search({ query: ' tea' }, plain.caller)).items).toHaveLength(1);
    return postings === before;
  });
});
