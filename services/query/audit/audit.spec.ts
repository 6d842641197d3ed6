import { beforeEach, describe, expect, it } from 'vitest';
import type { AuditInput } from '#contract/audit.js';
import type { Caller } from '#contract/caller.js';
import { correctedPast } from '../test-support/corrected-past.js';
import { day, type QuestionBench, questionBench, start } from '../test-support/question-bench.js';

const date = (days: number) => new Date(start + days * day).toISOString();

let bench: QuestionBench;
const ask = (input: AuditInput, caller: Caller = bench.caller) => bench.queries.audit(input, caller);

beforeEach(async () => {
  bench = await correctedPast();
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

  it('refuses what it would not use, and puts nothing on record', async () => {
    const unused: AuditInput[] = [
      { ask: 'state', from: date(1), to: date(2), by: '3d' },
      { ask: 'who', include: ['retracted'] },
      { ask: 'shown', subject: 'Ada' },
      { ask: 'belief', query: 'which database?', at: date(3), key: 'db' },
    ];
    for (const input of unused) await expect(ask(input)).rejects.toMatchObject({ code: 'invalid_input' });
    expect(bench.audited).toEqual([]);
  });

  it('refuses a cursor that is none, or of another question', async () => {
    const { next } = await ask({ ask: 'who', limit: 1 });
    await expect(ask({ ask: 'state', cursor: next! })).rejects.toMatchObject({ details: { parameter: 'cursor' } });
    await expect(ask({ ask: 'who', cursor: 'a1.nonsense' })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(ask({ ask: 'state', as_of: date(40) })).rejects.toMatchObject({ code: 'invalid_time' });
    await expect(ask({ ask: 'who', memory_id: 'db', key: 'db' })).rejects.toMatchObject({ code: 'invalid_input' });
  });
});
