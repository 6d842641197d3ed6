import { beforeEach, describe, expect, it } from 'vitest';
import type { AuditInput } from '#contract/audit.js';
import type { Caller } from '#contract/caller.js';
import { fakeEmbedder } from '#understanding/embeddings/test-support/fake-embedder.js';
import { day, type QuestionBench, questionBench, start } from '../test-support/question-bench.js';

const date = (days: number) => new Date(start + days * day).toISOString();

let bench: QuestionBench;
const ask = (input: AuditInput, caller: Caller = bench.caller) => bench.queries.audit(input, caller);

/** A database that moves from MySQL to PostgreSQL, told a day late; a limit that was wrong for three weeks; a lead, forgotten. */
beforeEach(async () => {
  bench = questionBench();
  const { views } = bench;
  await views.write(
    { memoryId: 'db', key: 'db', content: 'The database is MySQL 8.0', validFrom: start, tags: ['infra'] },
    start,
  );
  await views.write(
    { memoryId: 'limit', key: 'limit', content: 'The rate limit is 100', validFrom: start },
    start + day,
  );
  await views.write({ memoryId: 'lead', key: 'lead', content: 'Ada leads the team', session: 's1' }, start + 2 * day);
  await views.write(
    {
      memoryId: 'db',
      key: 'db',
      content: 'The database is PostgreSQL 16',
      validFrom: start + 5 * day,
      tags: ['infra'],
    },
    start + 6 * day,
  );
  await views.forget('lead', 'she moved on', start + 8 * day);
  await views.write(
    { memoryId: 'limit', key: 'limit', content: 'The rate limit is 50', validFrom: start },
    start + 21 * day,
  );
  bench.now = start + 22 * day;
});

describe('state', () => {
  const contents = async (input: Omit<AuditInput, 'ask'>) =>
    (await ask({ ask: 'state', ...input })).rows.map(({ content, status }) => `${String(content)} ${status}`);

  it('is all that is current, in the order in which it was written', async () => {
    expect(await contents({})).toEqual(['The database is PostgreSQL 16 current', 'The rate limit is 50 current']);
    expect(await contents({ tags: ['infra'] })).toEqual(['The database is PostgreSQL 16 current']);
    expect(await contents({ key: 'limit', include: ['superseded'] })).toEqual([
      'The rate limit is 100 superseded',
      'The rate limit is 50 current',
    ]);
    expect(await contents({ key: 'db', valid_during: { from: date(4), to: date(6) } })).toEqual([
      'The database is MySQL 8.0 superseded',
      'The database is PostgreSQL 16 current',
    ]);
    expect(await contents({ include: ['retracted'], session_id: 's1' })).toEqual(['Ada leads the team retracted']);
  });

  it('is that of any time in both axes', async () => {
    expect(await contents({ as_of: date(5.5) })).toEqual([
      'The database is MySQL 8.0 current',
      'The rate limit is 100 current',
      'Ada leads the team current',
    ]);
    expect(await contents({ valid_at: date(1) })).toEqual([
      'The database is MySQL 8.0 current',
      'The rate limit is 50 current',
    ]);
    expect(await contents({ as_of: date(7), valid_at: date(1) })).toEqual([
      'The database is MySQL 8.0 current',
      'The rate limit is 100 current',
    ]);
    expect(await contents({ valid_during: { from: date(4), to: date(6) }, key: 'db' })).toHaveLength(2);
    expect(await contents({ as_of: '2020-01-01' })).toEqual([]);
  });

  it('comes in pages that rest on one basis, whatever is written meanwhile', async () => {
    const first = await ask({ ask: 'state', limit: 1 });
    await bench.views.write({ memoryId: 'late', content: 'too late' }, start + 22 * day);
    bench.now += day;
    const second = await ask({ ask: 'state', limit: 1, cursor: first.next! });
    expect(second.rows).toMatchObject([{ memory_id: 'limit' }]);
    expect(second.basis).toBe(first.basis);
    expect(second.next).toBeUndefined();
    expect((await ask({ ask: 'state' })).rows).toHaveLength(3);
    expect((await ask({ ask: 'state', basis: first.basis })).rows).toHaveLength(2);
  });

  it('shows what is held back to reviewers alone', async () => {
    await bench.views.quarantine('db', 'odd', start + 22 * day);
    bench.now = start + 23 * day;
    await expect(ask({ ask: 'state', include: ['quarantined'] })).rejects.toMatchObject({ code: 'forbidden' });
    const reviewer: Caller = { ...bench.caller, roles: ['auditor', 'reviewer'] };
    expect((await ask({ ask: 'state', include: ['quarantined'], key: 'db' }, reviewer)).rows).toMatchObject([
      { content: 'The database is MySQL 8.0', status: 'quarantined' },
      { content: 'The database is PostgreSQL 16', status: 'quarantined' },
    ]);
    expect((await ask({ ask: 'who', key: 'db' })).rows[1]).not.toHaveProperty('content');
    expect((await ask({ ask: 'state' })).rows.map(({ key }) => key)).toEqual(['limit']);
  });
});

describe('diff', () => {
  it('says per memory what became different, by whom and why', async () => {
    const { rows, from_basis, basis } = await ask({ ask: 'diff', from: date(5.5), to: date(22) });
    expect(rows).toMatchObject([
      {
        key: 'db',
        change: 'revised',
        before: { version: 1, content: 'The database is MySQL 8.0' },
        after: { version: 2, content: 'The database is PostgreSQL 16' },
        principal: 'ann',
        recorded_at: date(6),
      },
      { key: 'limit', change: 'revised', recorded_at: date(21) },
      { key: 'lead', change: 'forgotten', why: 'she moved on', recorded_at: date(8) },
    ]);
    expect((await ask({ ask: 'diff', from: from_basis!, to: basis })).rows).toEqual(rows);
    expect(
      (await ask({ ask: 'diff', from: '2020-01-01', to: date(3) })).rows.map(({ key, change }) => [key, change]),
    ).toEqual([
      ['db', 'added'],
      ['limit', 'added'],
      ['lead', 'added'],
    ]);
    expect((await ask({ ask: 'diff', from: basis })).rows).toEqual([]);
  });

  it('shows what only time brought, unless both are asked about one time', async () => {
    await bench.views.write(
      { memoryId: 'code', key: 'code', content: 'door code 1', expiresAt: start + 25 * day },
      start + 22 * day,
    );
    await bench.views.write(
      { memoryId: 'db', key: 'db', content: 'The database is CockroachDB', validFrom: start + 30 * day },
      start + 22 * day,
    );
    bench.now = start + 22.5 * day;
    const { basis } = await ask({ ask: 'state' });
    bench.now = start + 31 * day;
    const changes = async (input: object) =>
      (await ask({ ask: 'diff', from: basis, ...input })).rows.map(({ key, change }) => [key, change]);
    expect(await changes({})).toEqual([
      ['db', 'began'],
      ['code', 'expired'],
    ]);
    expect(await changes({ valid_at: date(23) })).toEqual([]);
  });

  it('comes in pages', async () => {
    const asked: AuditInput = { ask: 'diff', from: date(0.5), to: date(22), limit: 2 };
    const first = await ask(asked);
    const second = await ask({ ...asked, cursor: first.next! });
    expect([...first.rows, ...second.rows]).toEqual((await ask({ ...asked, limit: 10 })).rows);
    expect([first.rows.length, second.rows.length, second.next]).toEqual([2, 1, undefined]);
    expect(second.from_basis).toBe(first.from_basis);
  });

  it('refuses bases in the wrong order, and none', async () => {
    await expect(ask({ ask: 'diff', from: date(8), to: date(3) })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(ask({ ask: 'diff' })).rejects.toMatchObject({ details: { parameter: 'from' } });
    await expect(ask({ ask: 'diff', from: date(1), to: date(2), as_of: date(2) })).rejects.toMatchObject({
      details: { parameter: 'to' },
    });
  });
});

describe('who, retroactive and events', () => {
  it('tell who wrote what and why, in the order of the ledger', async () => {
    const { rows } = await ask({ ask: 'who' });
    expect(rows.map(({ key, change, why }) => [key, change, why])).toEqual([
      ['db', 'added', undefined],
      ['limit', 'added', undefined],
      ['lead', 'added', undefined],
      ['db', 'revised', undefined],
      ['lead', 'forgotten', 'she moved on'],
      ['limit', 'revised', undefined],
    ]);
    expect(rows[4]).toMatchObject({ content: 'Ada leads the team', principal: 'ann', agent: 'spec' });
    const keys = async (input: object) => (await ask({ ask: 'who', ...input })).rows.map(({ key }) => key);
    expect(await keys({ from: date(2), to: date(8) })).toEqual(['lead', 'db']);
    expect(await keys({ from: date(8) })).toEqual(['lead', 'limit']);
    expect(await keys({ as_of: date(2.5) })).toEqual(['db', 'limit', 'lead']);
    expect(await keys({ principal: 'bob' })).toEqual([]);
    expect(await keys({ key: 'limit' })).toEqual(['limit', 'limit']);
    expect(await keys({ session_id: 's1' })).toEqual(['lead']);
  });

  it('tell of a time in the world what was ever said of it, and what was done to that', async () => {
    const keys = async (ask_: 'who' | 'events' | 'retroactive', input: object) =>
      (await ask({ ask: ask_, ...input })).rows.map(({ key, memory_id, change, type }) => [
        key ?? memory_id,
        change ?? type,
      ]);
    // PostgreSQL is true since day 5; all else began before.
    expect(await keys('who', { valid_at: date(3) })).toEqual([
      ['db', 'added'],
      ['limit', 'added'],
      ['lead', 'added'],
      ['lead', 'forgotten'],
      ['limit', 'revised'],
    ]);
    expect(await keys('who', { valid_at: date(1), as_of: date(10) })).toEqual([
      ['db', 'added'],
      ['limit', 'added'],
    ]);
    expect(await keys('events', { valid_during: { to: date(1) }, key: 'db' })).toEqual([['db', 'MemoryRecorded']]);
    expect(await keys('retroactive', { valid_at: date(3), by: '1h' })).toEqual([
      ['limit', 'added'],
      ['limit', 'revised'],
    ]);
    const both = { ask: 'who', valid_at: date(1), valid_during: { from: date(1) } } as const;
    await expect(ask(both)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('tell who rated what how, and why', async () => {
    await bench.views.rate('db', 'wrong', 'it is 17 by now', start + 21.5 * day);
    const { rows } = await ask({ ask: 'who', key: 'db' });
    expect(rows.at(-1)).toMatchObject({ change: 'rated', outcome: 'wrong', version: 2, why: 'it is 17 by now' });
    const events = await ask({ ask: 'events', memory_id: 'db' });
    expect(events.rows.at(-1)).toMatchObject({ type: 'MemoryRated', why: 'it is 17 by now' });
    const diff = await ask({ ask: 'diff', from: date(21.2) });
    expect(diff.rows).toEqual([]);
    const belief = await ask({ ask: 'belief', query: 'who leads the team', at: date(7) });
    await bench.views.rate('lead', 'useful', 'so it was', start + 21.6 * day);
    const again = await ask({ ask: 'belief', query: 'who leads the team', at: date(7) });
    expect(again.because).toEqual(belief.because);
  });

  it('tell what was recorded long after it became true', async () => {
    const late = async (by?: string) =>
      (await ask({ ask: 'retroactive', ...(by ? { by } : {}) })).rows.map(({ key, late_by }) => [key, late_by]);
    expect(await late('2d')).toEqual([['limit', 21 * 86_400]]);
    expect(await late()).toEqual([
      ['limit', 86_400],
      ['db', 86_400],
      ['limit', 21 * 86_400],
    ]);
    await expect(late('soon')).rejects.toMatchObject({ code: 'invalid_input', details: { parameter: 'by' } });
  });

  it('name the events behind a memory, with position and hash', async () => {
    const { rows } = await ask({ ask: 'events', key: 'lead' });
    expect(rows).toEqual([
      expect.objectContaining({
        type: 'MemoryRecorded',
        version: 1,
        event_id: 'e3',
        position: 'p00000003',
        principal: 'ann',
      }),
      expect.objectContaining({ type: 'MemoryForgotten', event_id: 'e5', position: 'p00000005', why: 'she moved on' }),
    ]);
    expect(new Set(rows.map(({ hash }) => hash)).size).toBe(2);
    expect(rows[0]).not.toHaveProperty('content');
  });

  it('page without a gap and without an overlap', async () => {
    const pages: unknown[] = [];
    let cursor: string | undefined;
    do {
      const { rows, next } = await ask({ ask: 'who', limit: 2, ...(cursor ? { cursor } : {}) });
      pages.push(...rows);
      cursor = next;
    } while (cursor);
    expect(pages).toEqual((await ask({ ask: 'who' })).rows);
  });
});

describe('an audit', () => {
  it('is on record before it is answered: what was asked, how many rows, and of which memory', async () => {
    await ask({ ask: 'who', key: 'db', principal: 'ann' });
    expect(bench.audited).toMatchObject([{ ask: 'who', rows: 2, about: 'db', subjects: [] }]);
    expect(JSON.parse(bench.audited[0]!.parameters)).toMatchObject({ ask: 'who', principal: 'ann' });
    // The slot's name is content: the memory is named by its id.
    expect(bench.audited[0]!.parameters).not.toContain('"db"');
    await ask({ ask: 'state', subject: 'Ada' });
    expect(bench.audited[1]!.subjects).toHaveLength(1);
  });

  it('shows nothing when it cannot be put on record', async () => {
    const refusing = questionBench('strict', () => ({ recordAudit: () => Promise.reject(new Error('full')) }));
    await expect(refusing.queries.audit({ ask: 'state' }, refusing.caller)).rejects.toThrow('full');
  });

  it('refuses a cursor that is none, or of another question', async () => {
    const { next } = await ask({ ask: 'who', limit: 1 });
    await expect(ask({ ask: 'state', cursor: next! })).rejects.toMatchObject({ details: { parameter: 'cursor' } });
    await expect(ask({ ask: 'who', cursor: 'a1.nonsense' })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(ask({ ask: 'state', as_of: date(40) })).rejects.toMatchObject({ code: 'invalid_time' });
    await expect(ask({ ask: 'who', memory_id: 'db', key: 'db' })).rejects.toMatchObject({ code: 'invalid_input' });
  });
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
