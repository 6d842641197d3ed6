import { describe, expect, it } from 'vitest';
import { day, questionBench, start } from '../test-support/question-bench.js';

const date = (days: number) => new Date(start + days * day).toISOString();

describe('what an item replaced', () => {
  it('is what was true just before it', async () => {
    const bench = questionBench();
    await bench.views.write({ memoryId: 'm1', content: 'The database is MySQL 8.0', validFrom: start }, start);
    await bench.views.write(
      { memoryId: 'm1', content: 'The database is PostgreSQL 16', validFrom: start + 5 * day },
      start + 6 * day,
    );
    bench.now = start + 19 * day;
    const { items } = await bench.queries.search({ query: 'database' }, bench.caller);
    expect(items).toMatchObject([
      {
        version: 2,
        replaced: [{ version: 1, content: 'The database is MySQL 8.0', valid_from: date(0), valid_to: date(5) }],
      },
    ]);
    expect(items[0]!.replaced![0]).not.toHaveProperty('system_to');
    const shown = await bench.queries.search({ query: 'database', include: ['superseded'] }, bench.caller);
    expect(shown.items.map(({ version, status, replaced }) => [version, status, replaced?.length])).toEqual([
      [2, 'current', 1],
      [1, 'superseded', undefined],
    ]);
  });

  it('is what was believed until then, where it was true from the same time on', async () => {
    const bench = questionBench();
    await bench.views.write({ memoryId: 'm1', content: 'The limit is 100', validFrom: start }, start + day);
    await bench.views.write({ memoryId: 'm1', content: 'The limit is 50', validFrom: start }, start + 3 * day);
    bench.now = start + 4 * day;
    const { items } = await bench.queries.search({ query: 'limit' }, bench.caller);
    expect(items[0]!.replaced).toEqual([
      { version: 1, content: 'The limit is 100', valid_from: date(0), system_to: date(3) },
    ]);
    const then = await bench.queries.search({ query: 'limit', as_of: date(2) }, bench.caller);
    expect(then.items[0]).not.toHaveProperty('replaced');
  });

  it('is what was believed of a part of its time, where the correction reaches back further', async () => {
    const bench = questionBench();
    await bench.views.write(
      { memoryId: 'm1', content: 'The limit is 100', validFrom: start + 5 * day },
      start + 5 * day,
    );
    await bench.views.write({ memoryId: 'm1', content: 'The limit is 50', validFrom: start }, start + 8 * day);
    bench.now = start + 9 * day;
    const { items } = await bench.queries.search({ query: 'limit' }, bench.caller);
    expect(items[0]!.replaced).toEqual([
      { version: 1, content: 'The limit is 100', valid_from: date(5), system_to: date(8) },
    ]);
  });

  it('is the version that came later of an earlier time, and nothing of what was not known yet', async () => {
    const bench = questionBench();
    await bench.views.write({ memoryId: 'm1', content: 'lead: Ada', validFrom: start }, start);
    await bench.views.write({ memoryId: 'm1', content: 'lead: Grace', validFrom: start + 10 * day }, start + 10 * day);
    await bench.views.write(
      { memoryId: 'm1', content: 'lead: Edith', validFrom: start + 8 * day, validTo: start + 10 * day },
      start + 11 * day,
    );
    bench.now = start + 12 * day;
    const replacing = async (more: object) =>
      (await bench.queries.search({ query: 'lead', ...more }, bench.caller)).items[0]!.replaced?.map(
        (each) => each.content,
      );
    expect(await replacing({})).toEqual(['lead: Edith']);
    expect(await replacing({ as_of: date(10.5) })).toEqual(['lead: Ada']);
    expect(await replacing({ valid_at: date(9) })).toEqual(['lead: Ada']);
    expect(await replacing({ valid_at: date(1) })).toBeUndefined();
  });

  it('is cut to a line', async () => {
    const bench = questionBench();
    await bench.views.write({ memoryId: 'm1', content: `notes ${'😀'.repeat(300)}` }, start);
    await bench.views.write({ memoryId: 'm1', content: 'notes are gone' }, start + day);
    bench.now = start + 2 * day;
    const { items } = await bench.queries.search({ query: 'notes' }, bench.caller);
    expect(items[0]!.replaced![0]!.content).toBe(`notes ${'😀'.repeat(114)}…`);
  });
});
