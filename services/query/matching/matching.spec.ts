import { describe, expect, it } from 'vitest';
import { day, questionBench, start } from '../test-support/question-bench.js';

describe('matching', () => {
  it('means the current memories that match every part, oldest first', async () => {
    const bench = questionBench();
    await bench.views.write({ memoryId: 'm1', content: 'old API key', kind: 'working', tags: ['secret'] }, start);
    await bench.views.write({ memoryId: 'm2', content: 'API docs', tags: ['secret'] }, start + day);
    await bench.views.write({ memoryId: 'm3', content: 'the key to the API', session: 's1' }, start + 2 * day);
    await bench.views.write({ memoryId: 'm4', content: 'API key, gone' }, start + 2 * day);
    await bench.views.forget('m4', 'gone', start + 2 * day);
    bench.now = start + 3 * day;
    const ids = async (filter: Parameters<typeof bench.queries.matching>[0]) =>
      (await bench.queries.matching(filter, bench.caller)).map(({ memoryId }) => memoryId);
    expect(await ids({})).toEqual(['m1', 'm2', 'm3']);
    // All content words, not merely one of them.
    expect(await ids({ query: 'API key' })).toEqual(['m1', 'm3']);
    expect(await ids({ tags: ['secret'] })).toEqual(['m1', 'm2']);
    expect(await ids({ kind: 'working' })).toEqual(['m1']);
    expect(await ids({ session_id: 's1' })).toEqual(['m3']);
    expect(await ids({ before: '2026-03-02' })).toEqual(['m1']);
    expect(await ids({ after: '2026-03-02', tags: ['secret'] })).toEqual(['m2']);
    const all = await bench.queries.matching({ query: 'API key' }, bench.caller, 'retracted too');
    expect(all.map(({ memoryId }) => memoryId)).toEqual(['m1', 'm3', 'm4']);
  });

  it('names of each memory its latest version too, where an older one is current', async () => {
    const bench = questionBench();
    await bench.views.write({ memoryId: 'm1', content: 'the office is in Kreuzberg', tags: ['place'] }, start);
    await bench.views.write(
      { memoryId: 'm1', content: 'the office is in Mitte', tags: ['place'], validFrom: start + 90 * day },
      start + day,
    );
    await bench.views.write({ memoryId: 'm2', content: 'the desk is new', tags: ['place'] }, start + day);
    bench.now = start + 2 * day;
    expect(await bench.queries.matching({ tags: ['place'] }, bench.caller)).toMatchObject([
      { memoryId: 'm1', version: 1, latest: 2, preview: 'the office is in Kreuzberg' },
      { memoryId: 'm2', version: 1, latest: 1 },
    ]);
  });

  it('means nothing by views that do not hold all that was written', async () => {
    const bench = questionBench('strict', () => ({ catchUp: async () => 'The projections are behind.' }));
    await bench.views.write({ memoryId: 'm1', content: 'API key' }, start);
    await expect(bench.queries.matching({}, bench.caller)).rejects.toMatchObject({
      code: 'views_behind',
      message: 'The projections are behind.',
    });
  });

  it('refuses a query that means nothing', async () => {
    const bench = questionBench();
    for (const query of ['的 the', ' '])
      await expect(bench.queries.matching({ query }, bench.caller)).rejects.toMatchObject({
        code: 'invalid_input',
        details: { parameter: 'filter.query' },
      });
  });

  it('says of before and after what is wrong with them, by their names', async () => {
    const bench = questionBench();
    const refused = (filter: Parameters<typeof bench.queries.matching>[0]) =>
      expect(bench.queries.matching(filter, bench.caller)).rejects;
    await refused({ before: 'x' }).toThrow('filter.before is "x", which is no ISO 8601 time');
    await refused({ after: '2026-03-02', before: '2026-03-01' }).toThrow(
      'filter.after is 2026-03-02T00:00:00.000Z, which is not earlier than filter.before, 2026-03-01T00:00:00.000Z',
    );
  });

  it('shows the beginning of what would go', async () => {
    const bench = questionBench();
    await bench.views.write({ memoryId: 'm1', content: '很长'.repeat(200) }, start);
    const [only] = await bench.queries.matching({}, bench.caller);
    expect(only).toMatchObject({ memoryId: 'm1', version: 1, preview: `${'很长'.repeat(60)}…` });
  });
});
