import { describe, expect, it, vi } from 'vitest';
import { day, questionBench, start } from '../test-support/question-bench.js';

async function told() {
  const bench = questionBench();
  await bench.views.write({ memoryId: 'm1', key: 'db', content: 'MySQL', tags: ['infra'], validFrom: start }, start);
  await bench.views.write(
    { memoryId: 'm1', key: 'db', content: 'PostgreSQL', validFrom: start + 5 * day },
    start + 6 * day,
  );
  await bench.views.forget('m1', 'wrong project', start + 7 * day);
  await bench.views.restore('m1', 'right after all', start + 8 * day);
  bench.now = start + 10 * day;
  return bench;
}

describe('history', () => {
  it('says that the views are behind, and not that something they lack is not there', async () => {
    const note = 'The projections are behind.';
    const bench = questionBench('strict', () => ({ catchUp: async () => note }));
    await bench.views.write({ memoryId: 'm1', key: 'db', content: 'MySQL' }, start);
    expect(await bench.queries.history({ key: 'db' }, bench.caller)).toMatchObject({ notes: [note] });
    expect(await bench.queries.stats(bench.caller)).toMatchObject({ notes: [note] });
    for (const asked of [{ key: 'cache' }, { memory_id: 'm2' }])
      await expect(bench.queries.history(asked, bench.caller)).rejects.toMatchObject({ code: 'views_behind' });
  });

  it('tells what was said, by whom, why, and what it changed', async () => {
    const bench = await told();
    const { entries, status, key, memory_id } = await bench.queries.history({ key: 'db' }, bench.caller);
    expect([status, key, memory_id]).toEqual(['current', 'db', 'm1']);
    expect(entries.map(({ event, why }) => [event, why])).toEqual([
      ['recorded', undefined],
      ['revised', undefined],
      ['forgotten', 'wrong project'],
      ['restored', 'right after all'],
    ]);
    expect(entries[0]).toMatchObject({
      content: 'MySQL',
      origin: 'agent',
      status: 'superseded',
      valid: [{ from: '2026-03-01T00:00:00.000Z', to: '2026-03-06T00:00:00.000Z' }],
      who: { principal: 'ann', agent: 'spec' },
    });
    expect(entries[1]).toMatchObject({
      content: 'PostgreSQL',
      status: 'current',
      changed: ['content', 'tags', 'valid_from'],
      valid: [{ from: '2026-03-06T00:00:00.000Z' }],
      system_from: '2026-03-07T00:00:00.000Z',
    });
  });

  it('tells who rated which version how, and leaves the memory as it stands', async () => {
    const bench = await told();
    const before = await bench.queries.history({ key: 'db' }, bench.caller);
    await bench.views.rate('m1', 'useful', 'named the right host', start + 9 * day);
    const after = await bench.queries.history({ key: 'db' }, bench.caller);
    expect(after.entries.slice(0, -1)).toEqual(before.entries);
    expect(after.status).toBe(before.status);
    expect(after.entries.at(-1)).toEqual({
      event: 'rated',
      version: 2,
      outcome: 'useful',
      why: 'named the right host',
      recorded_at: new Date(start + 9 * day).toISOString(),
      system_from: new Date(start + 9 * day).toISOString(),
      who: { principal: 'ann', agent: 'spec' },
    });
    expect((await bench.queries.history({ key: 'db', basis: before.basis }, bench.caller)).entries).toEqual(
      before.entries,
    );
  });

  it('tells what was known at a time, by time and by basis', async () => {
    const bench = await told();
    const then = await bench.queries.history({ memory_id: 'm1', as_of: '2026-03-02' }, bench.caller);
    expect(then.entries).toHaveLength(1);
    expect(then.entries[0]).toMatchObject({ status: 'current', valid: [{ from: '2026-03-01T00:00:00.000Z' }] });
    expect((await bench.queries.history({ memory_id: 'm1', basis: then.basis }, bench.caller)).entries).toEqual(
      then.entries,
    );
    const forgotten = await bench.queries.history({ key: 'db', as_of: '2026-03-08T12:00:00Z' }, bench.caller);
    expect(forgotten.status).toBe('retracted');
  });

  it('comes in pages, the latest entries first, that rest on one basis', async () => {
    const bench = await told();
    const whole = await bench.queries.history({ key: 'db' }, bench.caller);
    const asked = { key: 'db', limit: 1 };
    const pages = [await bench.queries.history(asked, bench.caller)];
    await bench.views.write({ memoryId: 'm1', key: 'db', content: 'later' }, start + 9 * day);
    for (let next = pages[0]!.next; next; next = pages[0]!.next)
      pages.unshift(await bench.queries.history({ ...asked, cursor: next }, bench.caller));
    expect(pages.map(({ entries }) => entries.length)).toEqual([1, 1, 1, 1]);
    expect(pages.flatMap(({ entries }) => entries)).toEqual(whole.entries);
    for (const page of pages) expect(page).toMatchObject({ key: 'db', status: 'current', basis: whole.basis });
    const filtered = await bench.queries.history({ ...asked, valid_at: '2026-03-02', limit: 10 }, bench.caller);
    expect(filtered.next).toBeUndefined();
    for (const wrong of [{ cursor: 'a1.x' }, { cursor: pages[1]!.next!, valid_at: '2026-03-02' }])
      await expect(bench.queries.history({ ...asked, ...wrong }, bench.caller)).rejects.toMatchObject({
        code: 'invalid_input',
        details: { parameter: 'cursor' },
      });
  });

  it('is empty before anything was known of the memory, and says so', async () => {
    const bench = await told();
    const before = await bench.queries.history({ memory_id: 'm1', as_of: '2020-01-01' }, bench.caller);
    expect(before).toMatchObject({ memory_id: 'm1', entries: [], notes: [expect.stringContaining('not known yet')] });
    expect(before.status).toBeUndefined();
  });

  it('tells, of a time in the world, what was ever said of it', async () => {
    const bench = await told();
    const versions = async (asked: object) => {
      const { entries } = await bench.queries.history({ memory_id: 'm1', ...asked }, bench.caller);
      return entries.map(({ event, version }) => version ?? event);
    };
    // MySQL was said to hold for good until the ledger learned otherwise.
    expect(await versions({ valid_at: '2026-03-07' })).toEqual([1, 2, 'forgotten', 'restored']);
    expect(await versions({ valid_at: '2026-03-02' })).toEqual([1, 'forgotten', 'restored']);
    expect(await versions({ valid_at: '2026-03-07', as_of: '2026-03-06' })).toEqual([1]);
    expect(await versions({ valid_during: { to: '2026-03-01' } })).toEqual(['forgotten', 'restored']);
    const notes = async (asked: object) =>
      (await bench.queries.history({ memory_id: 'm1', ...asked }, bench.caller)).notes;
    expect(await notes({ valid_during: { to: '2026-03-01' } })).toEqual([
      expect.stringContaining('None of its versions was true at the time'),
    ]);
    expect(await notes({ valid_at: '2026-03-02' })).toBeUndefined();
  });

  it.each([
    [{}, 'invalid_input'],
    [{ memory_id: 'm1', key: 'db' }, 'invalid_input'],
    [{ memory_id: 'nobody' }, 'memory_not_found'],
    [{ key: 'nothing' }, 'memory_not_found'],
    [{ memory_id: 'foreign-1' }, 'memory_of_another_bank'],
    [{ memory_id: 'm1', as_of: '2026-03-12' }, 'invalid_time'],
    [{ memory_id: 'm1', valid_at: '2026-03-02', valid_during: { from: '2026-03-02' } }, 'invalid_input'],
  ])('refuses %j with %s', async (input, code) => {
    const bench = await told();
    await expect(bench.queries.history(input, bench.caller)).rejects.toMatchObject({ code });
  });
});

describe('item', () => {
  it('is the memory as it is now, whatever its status', async () => {
    const bench = await told();
    expect(await bench.queries.item('m1', bench.caller)).toMatchObject({
      content: 'PostgreSQL',
      version: 2,
      status: 'current',
      valid_from: '2026-03-06T00:00:00.000Z',
    });
    await bench.views.forget('m1', 'again', start + 9 * day);
    expect(await bench.queries.item('m1', bench.caller)).toMatchObject({ status: 'retracted', version: 2 });
    await expect(bench.queries.item('nobody', bench.caller)).rejects.toMatchObject({ code: 'memory_not_found' });
  });

  it('shows what was written in one that is held back to reviewers alone', async () => {
    const bench = await told();
    await bench.views.quarantine('m1', 'odd', start + 9 * day);
    const held = await bench.queries.item('m1', bench.caller);
    expect(held).toMatchObject({
      id: 'm1',
      version: 2,
      status: 'quarantined',
      key: 'db',
      notes: [expect.stringContaining('reviewers')],
    });
    expect(held).not.toHaveProperty('content');
    expect(JSON.stringify(held)).not.toMatch(/PostgreSQL|infra/);
    const history = await bench.queries.history({ memory_id: 'm1' }, bench.caller);
    expect(JSON.stringify(history)).not.toMatch(/PostgreSQL|infra/);
    const reviewer = { ...bench.caller, roles: ['reader', 'reviewer'] as const };
    expect(await bench.queries.item('m1', reviewer)).toMatchObject({ content: 'PostgreSQL', status: 'quarantined' });
  });

  it('knows nothing of a memory that comes while it is asked for', async () => {
    const bench = await told();
    const reader = bench.views.reader();
    const { memory } = reader;
    vi.spyOn(reader, 'memory').mockImplementation(async (...asked) => {
      await bench.views.write({ memoryId: 'late', content: 'just now' }, start + 9 * day);
      return memory(...asked);
    });
    await expect(bench.queries.item('late', bench.caller)).rejects.toMatchObject({ code: 'memory_not_found' });
  });

  it('is what holds now when the latest version is about another time', async () => {
    const bench = questionBench();
    await bench.views.write({ memoryId: 'm1', content: 'on call: Ann', validFrom: start }, start);
    await bench.views.write({ memoryId: 'm1', content: 'on call: Bo', validFrom: start + 30 * day }, start + day);
    bench.now = start + 2 * day;
    expect(await bench.queries.item('m1', bench.caller)).toMatchObject({
      content: 'on call: Ann',
      valid_to: '2026-03-31T00:00:00.000Z',
    });
  });
});
