import { beforeEach, describe, expect, it } from 'vitest';
import type { AuditInput } from '#contract/audit.js';
import { fakeEmbedder } from '#understanding/embeddings/test-support/fake-embedder.js';
import { correctedPast } from '../test-support/corrected-past.js';
import { day, type QuestionBench, questionBench, start } from '../test-support/question-bench.js';

const date = (days: number) => new Date(start + days * day).toISOString();

let bench: QuestionBench;
const ask = (input: AuditInput) => bench.queries.audit(input, bench.caller);

beforeEach(async () => {
  bench = await correctedPast();
});

describe('belief', () => {
  it('reads a question about the past in three ways, and says what was learned since', async () => {
    const { readings, because, rows } = await ask({ ask: 'belief', query: 'What is the rate limit?', at: date(10) });
    const items = (reading: keyof NonNullable<typeof readings>) =>
      readings![reading].items.map(({ content }) => content);
    expect(items('true_now')).toEqual(['The rate limit is 50']);
    expect(items('true_then')).toEqual(['The rate limit is 50']);
    expect(items('answered_then')).toEqual(['The rate limit is 100']);
    expect(because).toEqual([
      'In the other two readings, but not among what this ledger would have answered then: “The rate limit is 50” (version 2).',
      'Only among what this ledger would have answered then: “The rate limit is 100” (version 1).',
      'On 2026-03-22 ann with spec recorded “The rate limit is 50”, true since 2026-03-01 (3 weeks after it became so). Until then this ledger said “The rate limit is 100”.',
    ]);
    expect(rows).toMatchObject([{ key: 'limit', version: 2, change: 'revised' }]);
  });

  it('says what changed in the world, and what was forgotten', async () => {
    const world = await ask({ ask: 'belief', query: 'Which database?', at: date(3) });
    expect(world.because).toEqual([
      'Only among what is true now: “The database is PostgreSQL 16” (version 2).',
      'In the other two readings, but not among what is true now: “The database is MySQL 8.0” (version 1).',
      '“The database is MySQL 8.0” was true until 2026-03-06; since 2026-03-06 it is “The database is PostgreSQL 16”.',
    ]);
    const forgotten = await ask({ ask: 'belief', query: 'Who leads the team?', at: date(5) });
    expect(forgotten.because).toEqual([
      'Only among what this ledger would have answered then: “Ada leads the team”.',
      'On 2026-03-09 ann with spec forgot “Ada leads the team”, because: she moved on. Until then this ledger said “Ada leads the team”.',
    ]);
    const same = await ask({ ask: 'belief', query: 'Which database?', at: date(12) });
    expect(same.because).toEqual(['All three readings agree.']);
  });

  it('answers in Chinese what is asked in Chinese', async () => {
    bench = questionBench();
    bench.now = start + 22 * day;
    await bench.views.write({ memoryId: 'owner', content: '登录服务由王芳负责', validFrom: start }, start + day);
    await bench.views.write(
      { memoryId: 'owner', content: '登录服务由李雷负责', validFrom: start + 2 * day },
      start + 20 * day,
    );
    const { readings, because } = await ask({ ask: 'belief', query: '登录服务由谁负责？', at: date(10) });
    expect(readings!.true_now.title).toBe('现在的事实');
    expect(because).toEqual([
      '在另外两种读法中有，在“账本当时会给出的回答”中没有：“登录服务由李雷负责”（第 2 版）。',
      '只在“账本当时会给出的回答”中：“登录服务由王芳负责”（第 1 版）。',
      '2026-03-21，ann 通过 spec 记录了“登录服务由李雷负责”，自 2026-03-03 起为真（在此之后 2 周才记录）。在此之前，账本的回答是“登录服务由王芳负责”。',
    ]);
  });

  it('does not say that readings agree of which one alone lists what became true since', async () => {
    await bench.views.write(
      { memoryId: 'cat', content: 'The office cat is Minka', validFrom: start + 15 * day },
      bench.now,
    );
    const { readings, because } = await ask({ ask: 'belief', query: 'Which office cat?', at: date(10) });
    expect(Object.values(readings!).map(({ items }) => items.length)).toEqual([1, 0, 0]);
    expect(because).toEqual([
      'Only among what is true now: “The office cat is Minka”.',
      '“The office cat is Minka” is true since 2026-03-16, which is after the time asked about.',
    ]);
    const chinese = await ask({ ask: 'belief', query: 'office cat 是谁？', at: date(10) });
    expect(chinese.because).toEqual([
      '只在“现在的事实”中：“The office cat is Minka”。',
      '“The office cat is Minka”自 2026-03-16 起为真，晚于所问的时间。',
    ]);
  });

  it('lists in each reading what a search with the same times answers, item by item, with vectors as without', async () => {
    const embedder = fakeEmbedder();
    for (const deps of [{}, { embedder }]) {
      const other = questionBench('strict', () => deps);
      for (let at = 0; at < 20; at++)
        await other.views.write({ memoryId: `n${at}`, content: `Ferry ${at} leaves pier ${at % 3}` }, start);
      await other.views.write({ memoryId: 'pay', content: 'PayBridge takes 100 calls', validFrom: start }, start + day);
      await other.views.write(
        { memoryId: 'pay', content: 'PayBridge takes 50 calls', validFrom: start },
        start + 9 * day,
      );
      await other.views.write(
        { memoryId: 'key', content: 'PayBridge keys rotate', validFrom: start + 8 * day },
        start + 8 * day,
      );
      if ('embedder' in deps) await other.views.embed(embedder);
      other.now = start + 20 * day;
      const [query, at] = ['How many calls does PayBridge take?', date(5)];
      const { readings, basis } = await other.queries.audit({ ask: 'belief', query, at, limit: 4 }, other.caller);
      const search = (times: object) => other.queries.search({ query, top_k: 4, ...times }, other.caller);
      const asked = { true_now: {}, true_then: { valid_at: at }, answered_then: { as_of: at, valid_at: at } };
      for (const [name, times] of Object.entries(asked)) {
        const reading = readings![name as keyof typeof asked];
        const found = await search(times);
        expect(found.items.length).toBeGreaterThan(0);
        expect(reading.items).toEqual(found.items);
        expect(reading.basis).toBe(found.basis);
      }
      const named = await other.queries.audit({ ask: 'belief', query, valid_at: at, limit: 4 }, other.caller);
      expect(named.readings!.true_then.items).toEqual(readings!.true_then.items);
      const both = other.queries.audit({ ask: 'belief', query, at, valid_at: at }, other.caller);
      await expect(both).rejects.toMatchObject({ code: 'invalid_input', details: { parameter: 'valid_at' } });
      expect(basis.slice(0, 3)).toBe('embedder' in deps ? 'b2.' : 'b1.');
      // A basis of either form is one, and no time.
      expect((await other.queries.audit({ ask: 'diff', from: basis }, other.caller)).rows).toEqual([]);
    }
  });

  it('says that keywords answered where the model is not ready, or the basis that was given rests on none', async () => {
    const embedder = fakeEmbedder();
    const other = questionBench('strict', () => ({ embedder }));
    await other.views.write({ memoryId: 'm', content: 'The gate is green' }, start);
    await other.views.embed(embedder);
    const belief = (more: object) =>
      other.queries.audit({ ask: 'belief', query: 'Which gate is green?', at: date(0), ...more }, other.caller);
    expect((await belief({})).notes).toBeUndefined();
    const { basis } = await other.queries.audit({ ask: 'state' }, other.caller);
    expect((await belief({ basis })).notes).toEqual([expect.stringContaining('rests on no embeddings')]);
    embedder.fail('away');
    expect((await belief({})).notes).toEqual([expect.stringContaining('(away): answered by keywords')]);
  });

  it('may be asked what another basis knew, and keeps no words of the question beside the recalls', async () => {
    const { basis } = await ask({ ask: 'state', as_of: date(10) });
    const answer = await ask({ ask: 'belief', query: 'rate limit', at: date(0.5), basis });
    expect(answer.readings!.answered_then.items).toMatchObject([{ content: 'The rate limit is 100' }]);
    expect(answer.because!.at(-1)).toContain('The rate limit is 50');
    const { parameters } = bench.audited.at(-1)!;
    expect(parameters).not.toContain('rate limit');
    expect((JSON.parse(parameters) as { recalls: string[] }).recalls).toEqual(
      bench.served.map(({ recallId }) => recallId),
    );
  });

  it.each([{ query: 'x' }, { at: '2026-03-05' }, { query: ' ', at: '2026-03-05' }, { query: 'x', at: '2027-01-01' }])(
    'refuses %j',
    async (input) => {
      await expect(ask({ ask: 'belief', ...input })).rejects.toMatchObject({
        code: expect.stringMatching(/^invalid_/),
      });
    },
  );
});
