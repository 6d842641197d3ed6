import { describe, expect, it } from 'vitest';
import { encodeBasis } from '#contract/basis.js';
import type { SearchInput } from '#contract/search.js';
import { fakeEmbedder } from '#understanding/embeddings/test-support/fake-embedder.js';
import { ledgerId } from '../test-support/fake-views.js';
import { day, type QuestionBench, questionBench, start } from '../test-support/question-bench.js';

const texts = async (bench: QuestionBench, input: SearchInput): Promise<unknown[]> =>
  (await bench.queries.search(input, bench.caller)).items.map(({ content }) => content);

describe('search', () => {
  it('answers with what is relevant, best first, and carries a basis', async () => {
    const bench = questionBench();
    await bench.views.write({ memoryId: 'm1', content: 'The staging database runs PostgreSQL 16' }, start);
    await bench.views.write({ memoryId: 'm2', content: 'Ann prefers tea' }, start);
    await bench.views.write({ memoryId: 'm3', content: 'The production database is in Frankfurt' }, start);
    const { items, basis } = await bench.queries.search(
      { query: 'which staging database?', min_score: 0 },
      bench.caller,
    );
    expect(items.map(({ id }) => id)).toEqual(['m1', 'm3']);
    const [first, second] = items.map(({ score }) => score!);
    expect(first).toBeGreaterThan(second!);
    expect(first).toBeLessThan(1);
    expect(second).toBeGreaterThan(0);
    expect(items[0]).toMatchObject({ version: 1, status: 'current', kind: 'semantic', tags: [] });
    expect(basis).toMatch(/^b1\./);
  });

  it('serves the only memory to its own words, and nothing to others, with vectors as without', async () => {
    const embedder = fakeEmbedder();
    const bench = questionBench('strict', () => ({ embedder }));
    await bench.views.write({ memoryId: 'm1', content: 'The staging database is MySQL 8.0' }, start);
    await bench.views.embed(embedder);
    expect(await texts(bench, { query: 'which staging database?' })).toHaveLength(1);
    expect(await texts(bench, { query: 'who has an allergy?' })).toEqual([]);
  });

  it('tells how long each leg took, and that of time where one is asked about', async () => {
    const embedder = fakeEmbedder();
    const told: string[] = [];
    const meters = { recalled: (leg: string) => void told.push(leg) };
    const bench = questionBench('strict', () => ({ embedder, meters }));
    await bench.views.write({ memoryId: 'm1', content: 'The staging database is MySQL 8.0' }, start);
    await bench.views.embed(embedder);
    await texts(bench, { query: 'which staging database?' });
    expect(told.splice(0).sort()).toEqual(['all', 'graph', 'keyword', 'ranking', 'slot', 'vector']);
    await texts(bench, { query: 'which staging database was there in March 2026?' });
    expect(told).toContain('time');
  });

  it('finds mixed text by its Chinese and its English', async () => {
    const bench = questionBench();
    await bench.views.write({ memoryId: 'm1', content: '把MySQL 8.0迁移到PostgreSQL' }, start);
    for (const query of ['迁移', 'mysql', 'PostgreSQL 是什么时候迁移的？', '8.0'])
      expect(await texts(bench, { query })).toHaveLength(1);
  });

  it('says nothing where no content word occurs, nor to function words alone', async () => {
    const bench = questionBench();
    await bench.views.write({ memoryId: 'm1', content: '我们的数据库是 PostgreSQL' }, start);
    for (const query of ['what is it?', '这是什么', '?', 'kubernetes', '量子计算机在哪里', '我们的是什么'])
      expect(await texts(bench, { query })).toEqual([]);
  });

  it('finds by a picture what holds it, and nothing where nothing is said, with vectors as without', async () => {
    const embedder = fakeEmbedder();
    for (const deps of [{}, { embedder }]) {
      const bench = questionBench('strict', () => deps);
      await bench.views.write({ memoryId: 'm1', content: 'We had 🍕 again' }, start);
      await bench.views.write({ memoryId: 'm2', content: '😀' }, start);
      await bench.views.write({ memoryId: 'm3', content: 'The sun is out ☀️', tags: ['🌻'] }, start);
      for (let at = 0; at < 60; at++)
        await bench.views.write({ memoryId: `n${at}`, content: `Ferry ${at} was late` }, start);
      if ('embedder' in deps) await bench.views.embed(embedder);
      const asked = (query: string, more: object = {}) => texts(bench, { query, ...more });
      for (const query of ['🍕', 'what about 🍕?', '🍕🍕🍕']) expect(await asked(query)).toEqual(['We had 🍕 again']);
      expect(await asked('😀')).toEqual(['😀']);
      for (const query of ['☀', '☀️', '🌻']) expect(await asked(query)).toEqual(['The sun is out ☀️']);
      expect(await asked('❤️')).toEqual([]);
      for (const query of ['👩‍👩‍👧‍👦🏳️‍🌈', '?', '……', '\u200b\u200b', '😢'.repeat(5_000)])
        expect(await asked(query, { min_score: 0, top_k: 100 })).toEqual([]);
    }
  });

  it('serves nothing to function words that ask about nothing, with vectors as without, and all the same who one is', async () => {
    const embedder = fakeEmbedder();
    const bench = questionBench('strict', () => ({ embedder }));
    await bench.views.write({ memoryId: 'm1', content: 'Ignore the above' }, start);
    await bench.views.write({ memoryId: 'm2', content: 'I am Odalys' }, start);
    await bench.views.embed(embedder);
    for (const query of ['the of and a', 'a', '的了吗呢', '我', '是什么', 'who?'])
      expect(await texts(bench, { query, min_score: 0 })).toEqual([]);
    for (const query of ['who am I', '我是谁']) expect(await texts(bench, { query, min_score: 0 })).toHaveLength(2);
  });

  it('serves the version that holds now, and an older one when asked for then', async () => {
    const bench = questionBench();
    await bench.views.write({ memoryId: 'm1', content: 'database: MySQL', validFrom: start }, start);
    bench.now = start + 10 * day;
    await bench.views.write({ memoryId: 'm1', content: 'database: PostgreSQL', validFrom: start + 5 * day }, bench.now);
    expect(await texts(bench, { query: 'database' })).toEqual(['database: PostgreSQL']);
    expect(await texts(bench, { query: 'database', valid_at: '2026-03-03' })).toEqual(['database: MySQL']);
    expect(await texts(bench, { query: 'database', as_of: '2026-03-03' })).toEqual(['database: MySQL']);
    // Known on the 8th: not yet that it had changed on the 6th.
    expect(await texts(bench, { query: 'database', as_of: '2026-03-08' })).toEqual(['database: MySQL']);
    const during = await texts(bench, { query: 'database', valid_during: { from: '2026-03-03', to: '2026-03-09' } });
    expect(new Set(during)).toEqual(new Set(['database: MySQL', 'database: PostgreSQL']));
  });

  it('shows other statuses only when they are asked for', async () => {
    const bench = questionBench();
    await bench.views.write({ memoryId: 'm1', content: 'token alpha' }, start);
    await bench.views.write({ memoryId: 'm1', content: 'token beta' }, start + 1);
    await bench.views.write({ memoryId: 'm2', content: 'token gamma' }, start + 2);
    await bench.views.forget('m2', 'wrong', start + 3);
    await bench.views.write({ memoryId: 'm3', content: 'token delta', expiresAt: start + 50 }, start + 4);
    bench.now = start + 100;
    const found = async (include?: SearchInput['include']) => {
      const { items } = await bench.queries.search({ query: 'token', include }, bench.caller);
      return items.map(({ content, status }) => `${String(content)} ${status}`).sort();
    };
    expect(await found()).toEqual(['token beta current']);
    expect(await found(['superseded'])).toEqual(['token alpha superseded', 'token beta current']);
    expect(await found(['retracted', 'expired'])).toEqual([
      'token beta current',
      'token delta expired',
      'token gamma retracted',
    ]);
  });

  it('filters by kind, session, tag, subject and time range', async () => {
    const bench = questionBench();
    const notes = (of: string) => ({ content: `deploy notes of ${of}` });
    await bench.views.write({ ...notes('the web shop'), memoryId: 'm1', kind: 'episodic', session: 's1' }, start);
    await bench.views.write(
      { ...notes('the mail server'), memoryId: 'm2', tags: ['ops', 'web'], occurredAt: start - 30 * day },
      start,
    );
    await bench.views.write({ ...notes('the payment gateway'), memoryId: 'm3', subjects: ['Ann Lee'] }, start + 2);
    bench.now = start + day;
    const ids = async (filter: Partial<SearchInput>) =>
      (await bench.queries.search({ query: 'deploy', min_score: 0, ...filter }, bench.caller)).items.map(
        ({ id }) => id,
      );
    expect((await ids({})).sort()).toEqual(['m1', 'm2', 'm3']);
    expect(await ids({ kinds: ['episodic'] })).toEqual(['m1']);
    expect(await ids({ session_id: 's1' })).toEqual(['m1']);
    expect(await ids({ tags: ['web', 'ops'] })).toEqual(['m2']);
    expect(await ids({ tags: ['web', 'none'] })).toEqual([]);
    expect(await ids({ subject: ' ann lee ' })).toEqual(['m3']);
    expect(await ids({ time_range: { to: '2026-02-15' } })).toEqual(['m2']);
    await expect(ids({ time_range: { from: '2026-02-15', to: '2026-02-14' } })).rejects.toThrow(/time_range/);
    await expect(ids({ time_range: { from: '2026-02-30' } })).rejects.toThrow(/2026-02-30/);
  });

  it('scores before it filters: a filter changes which items are shown, not their scores', async () => {
    const bench = questionBench();
    for (let at = 0; at < 8; at++)
      await bench.views.write(
        { memoryId: `m${at}`, content: `deploy ${'step '.repeat(at)}${at}`, tags: at % 2 ? ['odd'] : [] },
        start + at,
      );
    const all = await bench.queries.search({ query: 'deploy step', top_k: 100 }, bench.caller);
    const odd = await bench.queries.search({ query: 'deploy step', top_k: 100, tags: ['odd'] }, bench.caller);
    const score = new Map(all.items.map((item) => [item.id, item.score]));
    expect(odd.items).toHaveLength(4);
    for (const item of odd.items) expect(item.score).toBe(score.get(item.id));
  });

  it('keeps to top_k, min_score and token_budget', async () => {
    const bench = questionBench();
    for (const [at, place] of ['Lisbon', 'Oslo', 'Quito', 'Lagos', 'Hanoi', 'Perth'].entries())
      await bench.views.write({ memoryId: `m${at}`, content: `备份计划书 backup ${place}` }, start + at);
    await bench.views.write({ memoryId: 'm9', content: 'backup' }, start + 9);
    const all = { query: 'backup 计划', top_k: 7, min_score: 0 };
    expect(await texts(bench, { ...all, top_k: undefined })).toHaveLength(5);
    const scores = (await bench.queries.search(all, bench.caller)).items.map(({ score }) => score!);
    expect(scores).toHaveLength(7);
    // What is served has at least the score that was asked for.
    const least = [...scores].sort((one, other) => other - one)[3]!;
    const served = scores.filter((score) => score >= least);
    expect(await texts(bench, { ...all, min_score: least })).toHaveLength(served.length);
    expect(await texts(bench, { ...all, min_score: 1 })).toEqual([]);
    const { items, notes } = await bench.queries.search(
      { query: '计划', min_score: 0, token_budget: 20 },
      bench.caller,
    );
    const named = /^3 more did not fit token_budget 20: (m\d \(about \d+ tokens\)(, )?){3}\.$/;
    expect([items.length, notes]).toEqual([2, [expect.stringMatching(named)]]);
  });

  it('leaves out what is not likely to help, and by explain says what that was', async () => {
    const bench = questionBench();
    await bench.views.write({ memoryId: 'm1', content: 'The staging database runs PostgreSQL 16' }, start);
    await bench.views.write(
      {
        memoryId: 'm2',
        content: 'Ann met the staging crew of the theatre, and they spoke about lights until midnight',
      },
      start,
    );
    const asked = { query: 'which version of PostgreSQL runs the staging database?' };
    const every = await bench.queries.search({ ...asked, min_score: 0 }, bench.caller);
    const { items, explained } = await bench.queries.search({ ...asked, explain: true }, bench.caller);
    expect(explained).toMatchObject({ form: 'fact', cutoff: expect.any(Number) });
    const { cutoff = 0, form_cutoff = 0, beside_best, beside_best_across } = explained!;
    expect([beside_best, beside_best_across]).toEqual([0.3, 0.1]);
    expect(form_cutoff).toBeGreaterThan(0);
    expect(cutoff).toBe(Math.max(form_cutoff, 0.3 * items[0]!.score!));
    expect(items.map(({ id }) => id)).toEqual(every.items.filter(({ score }) => score! >= cutoff).map(({ id }) => id));
    const below = every.items.filter(({ score }) => score! < cutoff);
    expect((explained!.dropped ?? []).map(({ id, score }) => [id, score])).toEqual(
      below.map(({ id, score }) => [id, score]),
    );
  });

  it('serves no fact beside a much likelier one, but those that are about as likely, and all of them where a score is asked for', async () => {
    const bench = questionBench();
    const facts = [
      'Mira is allergic to hazelnuts',
      'Mira is allergic to birch pollen',
      'Mira has a red bicycle with a bell and a basket',
      'The gate of the allotment is painted green',
    ];
    for (const [at, content] of facts.entries()) await bench.views.write({ memoryId: `m${at}`, content }, start);
    const asked = { query: 'what is Mira allergic to?' };
    expect((await texts(bench, asked)).sort()).toEqual([facts[1], facts[0]]);
    const every = await bench.queries.search({ ...asked, min_score: 0 }, bench.caller);
    expect(every.items.map(({ content }) => content)).toContain(facts[2]);
    const third = every.items.find(({ content }) => content === facts[2])!.score!;
    expect(third).toBeLessThan(0.3 * every.items[0]!.score!);
    expect(await texts(bench, { ...asked, min_score: third })).toContain(facts[2]);
  });

  it('lets the newest stand for all that say the same, where the best of them stands', async () => {
    const bench = questionBench();
    const text = 'Ann keeps the spare keys of the Lisbon office in the blue drawer';
    await bench.views.write({ memoryId: 'm1', content: text }, start);
    await bench.views.write({ memoryId: 'm2', content: `${text}!` }, start + day);
    await bench.views.write({ memoryId: 'm3', content: 'The Lisbon office has a blue door' }, start + 2 * day);
    await bench.views.write({ memoryId: 'm4', content: text, key: 'office.keys' }, start + 3 * day);
    bench.now = start + 4 * day;
    const { items } = await bench.queries.search(
      { query: 'Where are the spare keys of the Lisbon office?', min_score: 0 },
      bench.caller,
    );
    expect(items.map(({ id }) => id).sort()).toEqual(['m2', 'm3', 'm4']);
    expect(items.find(({ id }) => id === 'm2')).toMatchObject({ also: ['m1'] });
    expect(items.find(({ id }) => id === 'm4')).not.toHaveProperty('also');
  });

  it('explains by legs, by features and by words as they were asked', async () => {
    const bench = questionBench();
    await bench.views.write({ memoryId: 'm1', content: 'migrating the databases' }, start);
    const { items, explained } = await bench.queries.search(
      { query: 'Database migrations in Berlin', explain: true, min_score: 0 },
      bench.caller,
    );
    const { legs, matched, features } = items[0]!.explain!;
    expect(legs).toEqual({ keyword: { rank: 1, score: expect.any(Number) } });
    expect(matched).toEqual(['Database', 'migrations']);
    expect(features).toMatchObject({ words: { value: 1, weight: expect.any(Number) } });
    expect(Object.keys(features!).filter((name) => name.startsWith('meaning'))).toEqual([]);
    expect(explained).toMatchObject({ form: 'fact', cutoff: 0 });
    expect(explained).not.toHaveProperty('form_cutoff');
  });

  it('puts every answer on record, empty ones too', async () => {
    const bench = questionBench();
    await bench.views.write({ memoryId: 'm1', content: 'tea', subjects: ['Ann'] }, start);
    const one = await bench.queries.search({ query: 'tea', session_id: undefined, subject: 'Ann' }, bench.caller);
    const none = await bench.queries.search({ query: 'coffee' }, bench.caller);
    expect(bench.served.map(({ recallId, query, items, filters }) => [recallId, query, items.length, filters])).toEqual(
      [
        [one.recall_id, 'tea', 1, '{"subject":"Ann"}'],
        [none.recall_id, 'coffee', 0, undefined],
      ],
    );
    expect(bench.served[0]!.subjects).toHaveLength(1);
  });

  it('answers and records a question whose words and filters hold half of a surrogate pair', async () => {
    const bench = questionBench();
    await bench.views.write({ memoryId: 'm1', content: 'tea' }, start);
    const half = { subject: 'Ann \ud83d', session_id: '\udc00', tags: ['\ud83d'] };
    expect((await bench.queries.search({ query: 'tea \ud83d', ...half }, bench.caller)).items).toEqual([]);
    expect(JSON.parse(bench.served[0]!.filters!)).toEqual({
      subject: 'Ann \ufffd',
      session_id: '\ufffd',
      tags: ['\ufffd'],
    });
  });

  it.each([
    [{ query: 'x', basis: 'nonsense' }, 'invalid_basis'],
    [{ query: 'x', basis: 'b1.e30', as_of: '2026-03-01' }, 'invalid_input'],
    [{ query: 'x', valid_at: '2026-03-01', valid_during: {} }, 'invalid_input'],
    [{ query: 'x'.repeat(70_000) }, 'too_large'],
    [{ query: '' }, 'invalid_input'],
    [{ query: ' \n\u3000' }, 'invalid_input'],
  ])('refuses %j', async (input, code) => {
    const bench = questionBench();
    await expect(bench.queries.search(input, bench.caller)).rejects.toMatchObject({ code });
  });

  it('names the query when it is blank, and answers empty when it has no content word', async () => {
    const bench = questionBench();
    await bench.views.write({ memoryId: 'm1', content: 'what is the tea' }, start);
    await expect(bench.queries.search({ query: '  ' }, bench.caller)).rejects.toMatchObject({
      message: 'query is "  ", but takes a question in words.',
      details: { parameter: 'query' },
    });
    expect((await bench.queries.search({ query: 'what is the' }, bench.caller)).items).toEqual([]);
  });

  it('says which basis it cannot come back to', async () => {
    const bench = questionBench();
    await bench.views.write({ memoryId: 'm1', content: 'tea' }, start);
    const { basis } = await bench.queries.search({ query: 'tea' }, bench.caller);
    const parts = JSON.parse(Buffer.from(basis.slice(3), 'base64url').toString()) as string[];
    const [, , position, hash, at, recipe] = parts as [string, string, string, string, string, string];
    const with_ = (change: object) =>
      bench.queries.search(
        { query: 'tea', basis: encodeBasis({ ledger: ledgerId, bank: 'b1', position, hash, at, recipe, ...change }) },
        bench.caller,
      );
    await expect(with_({ recipe: 'older' })).rejects.toMatchObject({ code: 'recipe_unavailable' });
    await expect(with_({ bank: 'b2' })).rejects.toMatchObject({ code: 'basis_of_another_bank' });
    await expect(with_({ hash: 'other' })).rejects.toMatchObject({ code: 'basis_unresolved' });
    // After a migration the position means another event, or none: the event is found by its hash.
    expect((await with_({ position: 'p99999999' })).items).toHaveLength(1);
  });

  it('answers many at once as it would one by one', async () => {
    const bench = questionBench('relaxed');
    for (let at = 0; at < 30; at++)
      await bench.views.write({ memoryId: `m${at}`, content: `note ${at % 7} about topic ${at % 5}` }, start + at);
    bench.now = start + day;
    const questions = Array.from({ length: 20 }, (_, at) => ({ query: `note topic ${at % 7}` }));
    const together = await Promise.all(questions.map((input) => bench.queries.search(input, bench.caller)));
    for (const [at, input] of questions.entries())
      expect((await bench.queries.search(input, bench.caller)).items).toEqual(together[at]!.items);
  });
});

describe('what is erased while it is asked for', () => {
  const without = (wasErased: boolean) =>
    questionBench('strict', (vault) => ({
      vault: { ...vault, secret: async (id) => (id === '0.0' ? undefined : vault.secret(id)) },
      wasErased: async () => wasErased,
    }));

  it('is left out when its keys are gone and the views still hold it', async () => {
    const bench = without(true);
    await bench.views.write({ memoryId: 'm1', content: 'green tea' }, start);
    await bench.views.write({ memoryId: 'm2', content: 'black tea' }, start);
    expect(await texts(bench, { query: 'tea' })).toEqual(['black tea']);
    expect((await bench.queries.history({ memory_id: 'm1' }, bench.caller)).entries[0]).not.toHaveProperty('content');
    expect((await bench.queries.audit({ ask: 'state' }, bench.caller)).rows).toMatchObject([
      { memory_id: 'm1', status: 'erased' },
      { memory_id: 'm2', content: 'black tea' },
    ]);
  });

  it('is damage when nothing says that it was erased', async () => {
    const bench = without(false);
    await bench.views.write({ memoryId: 'm1', content: 'green tea' }, start);
    await expect(bench.queries.search({ query: 'tea' }, bench.caller)).rejects.toMatchObject({ code: 'key_not_found' });
  });
});
