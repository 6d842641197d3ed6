import { fc, test } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import type { SearchInput } from '#contract/search.js';
import { canonicalJson, type Json } from '#events/canonical.js';
import type { AnswerCache } from '#views/answer-cache.js';
import { day, questionBench, start } from '../test-support/question-bench.js';

/** Keeps nothing from being computed, and holds every ranking against the one that was kept for the same. */
function checking(): AnswerCache & { hits: number } {
  const kept = new Map<string, unknown>();
  return {
    hits: 0,
    async answer(_bank, asked, compute) {
      const name = canonicalJson(asked as Json);
      const answer = await compute();
      if (kept.has(name)) {
        this.hits += 1;
        expect(answer).toEqual(kept.get(name));
      }
      kept.set(name, JSON.parse(JSON.stringify(answer)));
      return answer;
    },
  };
}

const moments = [-2, 0, 3, 9].map((days) => start + days * day);
const write = fc.record(
  {
    memoryId: fc.constantFrom('m1', 'm2', 'm3'),
    content: fc.constantFrom('tea', 'tea staging', 'staging database staging', '数据库 tea'),
    kind: fc.constantFrom('semantic' as const, 'episodic' as const),
    tags: fc.subarray(['red', 'blue']),
    session: fc.constantFrom('s1', 's2'),
    subjects: fc.subarray(['Ann Lee']),
    validFrom: fc.constantFrom(...moments),
    expiresAt: fc.constantFrom(...moments),
  },
  { requiredKeys: ['memoryId', 'content'] },
);
type Step =
  | { readonly write: typeof write extends fc.Arbitrary<infer W> ? W : never }
  | { readonly forget: string }
  | 'later'
  | 'rebuild';
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: write.map((each) => ({ write: each })) },
  { weight: 1, arbitrary: fc.constantFrom({ forget: 'm1' }, { forget: 'm2' }) },
  { weight: 2, arbitrary: fc.constantFrom('later' as const, 'rebuild' as const) },
);

/** One member away from the plain question, and from each other. */
const variants: readonly Partial<SearchInput>[] = [
  {},
  { query: ' tea staging\n' },
  { query: 'staging tea' },
  { query: 'Tea staging' },
  { query: 'tea staging tea' },
  { query: 'tea staging yesterday' },
  { query: '三天前的 tea staging' },
  { query: '数据库' },
  { query: 'tea \ud800' },
  { session_id: '\ud800' },
  { top_k: 1 },
  { top_k: 2 },
  { min_score: 0 },
  { min_score: 0.3 },
  { min_score: 0.9 },
  { kinds: ['semantic'] },
  { kinds: ['episodic', 'semantic'] },
  { kinds: ['semantic', 'episodic', 'episodic'] },
  { tags: ['red'] },
  { tags: ['red', 'blue'] },
  { tags: ['blue', 'red'] },
  { session_id: 's1' },
  { task_id: 's1' },
  { subject: 'Ann Lee' },
  { subject: ' ann lee' },
  { time_range: { from: '2026-03-01' } },
  { time_range: { to: '2026-03-01T00:00:02Z' } },
  { include: ['superseded'] },
  { include: ['retracted', 'expired'] },
  { include: ['expired', 'retracted'] },
  { explain: true },
  ...moments.map((at) => ({ valid_at: new Date(at).toISOString() })),
  ...moments.map((at) => ({ as_of: new Date(at - 20 * day).toISOString() })),
  { valid_during: { from: '2026-02-27', to: '2026-03-05' } },
  { valid_during: { from: '2026-02-27' } },
];

let hits = 0;

test.prop([fc.array(step, { minLength: 1, maxLength: 8 })], { numRuns: 25 })(
  'questions for which it is the same are ranked the same',
  async (steps) => {
    const answers = checking();
    const bench = questionBench('strict', () => ({ answers }));
    for (const each of steps) {
      bench.now += 1000;
      if (each === 'later') bench.now += 3 * day;
      else if (each === 'rebuild') bench.rebuild();
      else if ('write' in each) await bench.views.write(each.write, bench.now);
      else await bench.views.forget(each.forget, 'spec', bench.now);
      for (const variant of variants) {
        bench.now += 3;
        await bench.queries.search({ query: 'tea staging', ...variant }, bench.caller);
      }
      await bench.freshQueries().search({ query: 'tea staging' }, bench.caller);
    }
    hits += answers.hits;
  },
  60_000,
);

it('was the same often enough for that to mean something', () => {
  expect(hits).toBeGreaterThan(500);
});

it('is the same for another process, a moment later, in another order of what has none', async () => {
  const asked = new Set<string>();
  const answers: AnswerCache = {
    answer(_bank, given, compute) {
      asked.add(JSON.stringify(given));
      return compute();
    },
  };
  const bench = questionBench('strict', () => ({ answers }));
  await bench.views.write({ memoryId: 'm1', content: 'tea', tags: ['red', 'blue'] }, start);
  const plain: SearchInput = { query: 'tea', tags: ['red', 'blue'], include: ['expired', 'superseded'] };
  await bench.queries.search(plain, bench.caller);
  bench.now += 60_000;
  const other: SearchInput = { query: ' tea ', tags: ['blue', 'red'], include: ['superseded', 'expired'] };
  await bench.freshQueries().search(other, bench.caller);
  expect(asked.size).toBe(1);
});

it('is another when what the statistics count has expired meanwhile, though the time that is asked about is the same', async () => {
  const answers = checking();
  const bench = questionBench('strict', () => ({ answers }));
  await bench.views.write({ memoryId: 'm1', content: 'tea' }, start);
  for (const memoryId of ['m2', 'm3', 'm4'])
    await bench.views.write({ memoryId, content: 'staging tea', expiresAt: start + day }, start);
  const ask = async () => {
    const asked = { query: 'staging tea', valid_at: new Date(start).toISOString(), min_score: 0 };
    return (await bench.queries.search(asked, bench.caller)).items.map(({ score }) => score);
  };
  bench.now = start + 1000;
  const before = await ask();
  bench.now = start + 2 * day;
  expect(await ask()).not.toEqual(before);
});

it('is another on another day for a question that names a time from where it stands, though all else is as it was', async () => {
  const kept = new Map<string, unknown>();
  const answers: AnswerCache = {
    async answer(_bank, asked, compute) {
      const name = JSON.stringify(asked);
      if (!kept.has(name)) kept.set(name, await compute());
      return kept.get(name) as never;
    },
  };
  const bench = questionBench('strict', () => ({ answers }));
  await bench.views.write({ memoryId: 'm1', content: 'tea in the garden' }, start);
  await bench.views.write({ memoryId: 'm2', content: 'tea on the roof', occurredAt: start - 9 * day }, start);
  const within = async () => {
    const asked = { query: 'Who had tea yesterday?', explain: true, min_score: 0 };
    const { items } = await bench.queries.search(asked, bench.caller);
    return items.flatMap(({ id, explain }) => (explain!.legs.time?.score === 1 ? [id] : []));
  };
  bench.now = start + day;
  expect(await within()).toEqual(['m1']);
  bench.now = start + 3 * day;
  expect(await within()).toEqual([]);
  expect(kept.size).toBe(2);
});
