import { fc, test } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import type { SearchInput } from '#contract/search.js';
import { fakeEmbedder } from '#understanding/embeddings/test-support/fake-embedder.js';
import type { AnswerCache } from '#views/answer-cache.js';
import { createQueries } from '../create-queries.js';
import type { FakeWrite } from '../test-support/fake-views.js';
import { day, type QuestionBench, questionBench, start } from '../test-support/question-bench.js';

const outcomes = ['useful', 'success', 'irrelevant', 'wrong'] as const;
const memories = ['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7'];

type Step =
  | { readonly do: 'write'; readonly write: FakeWrite }
  | { readonly do: 'forget' | 'restore' | 'archive'; readonly memoryId: string }
  | { readonly do: 'rate'; readonly memoryId: string; readonly outcome: (typeof outcomes)[number] }
  | { readonly do: 'enrich'; readonly memoryId: string; readonly names: readonly string[]; readonly ago?: number }
  | { readonly do: 'wait'; readonly hours: number }
  | { readonly do: 'embed' }
  | { readonly do: 'rebuild' };

const said = [
  'Where did Caroline go?',
  'Caroline went to Lisbon with Melanie last week',
  'Melanie paints in Berlin on Fridays',
  'We met Oliver in Lisbon, 3 times',
  '我昨天和李雷去了上海',
  '李雷的生日是5月7日',
  'Berlin is cold',
  'Tea?',
];
const content = fc
  .tuple(fc.constantFrom('', 'Ann: ', 'Bob: ', 'user: '), fc.constantFrom(...said))
  .map(([speaker, text]) => speaker + text);
const memoryId = fc.constantFrom(...memories);
const write = fc
  .record(
    {
      memoryId,
      content,
      session: fc.constantFrom('s1', 's2', 's3'),
      key: fc.constantFrom('travel.lisbon', 'birthday'),
      tags: fc.subarray(['berlin', 'painting']),
      ago: fc.integer({ min: 0, max: 60 }),
    },
    { requiredKeys: ['memoryId', 'content'] },
  )
  .map(({ ago, ...fields }) => ({ ...fields, ...(ago === undefined ? {} : { occurredAt: start - ago * day }) }));
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 9, arbitrary: write.map((each) => ({ do: 'write' as const, write: each })) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('forget' as const, 'restore' as const, 'archive' as const), memoryId }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('rate' as const), memoryId, outcome: fc.constantFrom(...outcomes) }),
  },
  {
    weight: 2,
    arbitrary: fc.record(
      {
        do: fc.constant('enrich' as const),
        memoryId,
        names: fc.subarray(['Caroline', 'Lisbon', '李雷', 'Zoe']),
        ago: fc.integer({ min: 0, max: 60 }),
      },
      { requiredKeys: ['do', 'memoryId', 'names'] },
    ),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 200 }) }) },
  { weight: 3, arbitrary: fc.constant({ do: 'embed' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'rebuild' as const }) },
);

const question: fc.Arbitrary<SearchInput> = fc.record(
  {
    query: fc.constantFrom(
      'Where did Caroline go last week?',
      'When did Melanie meet Oliver in Lisbon?',
      'What did Ann say of Berlin?',
      '李雷昨天去了哪里？',
      'How many times did I meet Oliver?',
      'painting in Berlin',
      'birthday in May',
    ),
    top_k: fc.integer({ min: 1, max: 10 }),
    include: fc.subarray(['superseded', 'retracted', 'archived'] as const),
    session_id: fc.constantFrom('s1', 's2'),
    min_score: fc.constant(0),
    explain: fc.boolean(),
  },
  { requiredKeys: ['query'] },
);

const embedder = fakeEmbedder();

async function live(bench: QuestionBench, steps: readonly Step[], written: Set<string>): Promise<void> {
  for (const each of steps) {
    bench.now += 1000;
    if (each.do === 'write') {
      await bench.views.write(each.write, bench.now);
      written.add(each.write.memoryId);
    } else if (each.do === 'wait') bench.now += each.hours * 3_600_000;
    else if (each.do === 'embed') await bench.views.embed(embedder);
    else if (each.do === 'rebuild') bench.rebuild();
    else if (written.has(each.memoryId)) {
      if (each.do === 'enrich') {
        const times = each.ago === undefined ? [] : [start - each.ago * day];
        await bench.views.enrich(each.memoryId, { names: each.names, times }, bench.now);
      } else if (each.do === 'rate') await bench.views.rate(each.memoryId, each.outcome, 'spec', bench.now);
      else await bench.views[each.do](each.memoryId, 'spec', bench.now);
    }
  }
}

/** What was ranked is kept, as the distributed profile does, but for the bank's whole life. */
function keeping(): AnswerCache {
  const kept = new Map<string, Promise<unknown>>();
  return {
    answer<T>(_bank: string, asked: unknown, compute: () => Promise<T>): Promise<T> {
      const name = JSON.stringify(asked);
      const answer = kept.get(name) ?? compute();
      kept.set(name, answer);
      return answer as Promise<T>;
    },
  };
}

const history = fc.array(step, { minLength: 1, maxLength: 25 });
let withVectors = 0;

test.prop([history, fc.array(question, { minLength: 1, maxLength: 3 }), history], { numRuns: 150 })(
  'of turns, speakers, names, times, ratings, vectors and what a model found, the same basis gives the same items, order and scores, whatever happened since',
  async (before, questions, after) => {
    const bench = questionBench('strict', () => ({ embedder, answers: keeping() }));
    const written = new Set<string>();
    await live(bench, before, written);
    const answers = [];
    for (const each of questions) answers.push(await bench.queries.search(each, bench.caller));
    await live(bench, after, written);
    for (const [at, { items, basis, explained }] of answers.entries()) {
      if (basis.startsWith('b2.')) withVectors++;
      const again = await bench.queries.search({ ...questions[at]!, basis }, bench.caller);
      expect(again.basis).toBe(basis);
      expect([again.items, again.explained]).toEqual([items, explained]);
      bench.rebuild();
      const anew = await bench.queries.search({ ...questions[at]!, basis }, bench.caller);
      expect([anew.items, anew.explained]).toEqual([items, explained]);
    }
  },
  60_000,
);

it('rested on vectors often enough for that to mean something', () => {
  expect(withVectors).toBeGreaterThan(50);
});

test.prop([history], { numRuns: 60 })(
  'what is held in memory or kept of another question answers as a process does that has read nothing',
  async (steps) => {
    const bench = questionBench('strict', () => ({ embedder, answers: keeping() }));
    const fresh = () => createQueries({ ...bench.deps, answers: undefined });
    const written = new Set<string>();
    for (const each of steps) {
      await live(bench, [each], written);
      const asked: SearchInput = { query: 'Where did Ann and Caroline go last week?', min_score: 0, top_k: 20 };
      const { items, basis } = await bench.queries.search(asked, bench.caller);
      expect((await fresh().search({ ...asked, basis }, bench.caller)).items).toEqual(items);
    }
  },
  60_000,
);
