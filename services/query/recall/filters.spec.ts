import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import type { SearchInput } from '#contract/search.js';
import { fakeEmbedder } from '#understanding/embeddings/test-support/fake-embedder.js';
import { type QuestionBench, questionBench, start } from '../test-support/question-bench.js';

const day = 86_400_000;
const embedder = fakeEmbedder();

interface Told {
  readonly content: string;
  readonly session?: string | undefined;
  readonly tag: string;
  readonly again: boolean;
}

const told: fc.Arbitrary<Told> = fc.record({
  content: fc.constantFrom(
    'Ann: where did Oliver go last week?',
    'Bob: Oliver went to Lisbon in May',
    'Caroline paints in Berlin',
    'Ann: it rained in Lisbon',
    'the ferry to Lisbon leaves at nine',
    '李雷昨天去了上海',
    'Bob: how many times did you meet Oliver?',
  ),
  session: fc.constantFrom(undefined, 's1', 's2', 's3'),
  tag: fc.constantFrom('red', 'blue'),
  again: fc.boolean(),
});

async function filled(bank: readonly Told[], withVectors: boolean): Promise<QuestionBench> {
  const bench = questionBench('strict', () => ({ embedder }));
  const write = (memoryId: string, { content, session, tag }: Told, at: number) => {
    bench.now += 1_000;
    return bench.views.write(
      { memoryId, content, tags: [tag], ...(session ? { session } : {}), occurredAt: start - at * day },
      bench.now,
    );
  };
  // With numbers of their own: what says the same would stand together, with the score of the best.
  const numbered = bank.map((each, at) => ({ ...each, content: `${each.content} (${at})` }));
  for (const [at, each] of numbered.entries()) await write(`m${at}`, each, at);
  for (const [at, each] of numbered.entries())
    if (each.again) await write(`m${at}`, { ...each, content: `${each.content}, or so` }, at);
  if (withVectors) await bench.views.embed(embedder);
  return bench;
}

const scoresOf = async (bench: QuestionBench, more: Partial<SearchInput>) => {
  const { items } = await bench.queries.search(
    { query: 'When did Oliver go to Lisbon?', min_score: 0, top_k: 100, explain: true, ...more },
    bench.caller,
  );
  return new Map(
    items.map(({ id, version, score, explain }) => [`${id} ${version}`, { score, of: explain!.features }]),
  );
};

const filters: readonly Partial<SearchInput>[] = [
  { session_id: 's1' },
  { tags: ['red'] },
  { time_range: { from: new Date(start - 9 * day).toISOString() } },
  { session_id: 's2', tags: ['blue'] },
  { include: ['superseded'] },
  { include: ['superseded'], session_id: 's3' },
];

describe('a filter', () => {
  test.prop([fc.array(told, { minLength: 1, maxLength: 40 }), fc.boolean()], { numRuns: 40 })(
    'moves no score, and neither does what is included beside',
    async (bank, withVectors) => {
      const bench = await filled(bank, withVectors);
      const all = await scoresOf(bench, {});
      for (const filter of filters) {
        const some = await scoresOf(bench, filter);
        for (const [id, told] of some) {
          expect(told.score).toBeLessThanOrEqual(1);
          const before = all.get(id);
          if (before) expect([filter, id, told]).toEqual([filter, id, before]);
        }
      }
    },
    60_000,
  );

  it('finds the best of what it leaves, however many others fit better', async () => {
    const best = Array.from({ length: 150 }, (_, at) => ({
      content: `Oliver went to Lisbon, trip ${at}`,
      tag: 'blue',
      again: false,
    }));
    const bench = await filled([{ content: 'Lisbon has a harbour', tag: 'red', again: false }, ...best], true);
    expect([...(await scoresOf(bench, { tags: ['red'] })).keys()]).toEqual(['m0 1']);
    expect([...(await scoresOf(bench, {})).keys()]).not.toContain('m0 1');
  });
});
