import { describe, expect, it, vi } from 'vitest';
import type { HistoryInput } from '#contract/history.js';
import type { RecallRow } from '#views/rows.js';
import { day, questionBench, start } from '../test-support/question-bench.js';

const date = (days: number) => new Date(start + days * day).toISOString();

function recall(no: number, days: number, version: number): RecallRow {
  const items = [
    { memoryId: 'other', version: 1, score: 0.9 },
    { memoryId: 'm1', version, score: no / 10 },
  ];
  const rest = { eventId: `e${no}`, stream: 's', revision: no, tookMs: 1, position: `p${no}` };
  return {
    ...rest,
    bank: 'b1',
    recallNo: no,
    recallId: `r${no}`,
    principal: 'bob',
    agent: 'spec',
    askedAt: date(days),
    recordedAt: date(days),
    items,
  } as unknown as RecallRow;
}

/** Written on day 0 and, of another time, on day 6; served on days 1, 2, 7 and 9. */
async function served() {
  const bench = questionBench();
  await bench.views.write({ memoryId: 'm1', key: 'db', content: 'MySQL', validFrom: start }, start);
  const second = { memoryId: 'm1', key: 'db', content: 'PostgreSQL', validFrom: start + 5 * day };
  await bench.views.write(second, start + 6 * day);
  bench.now = start + 10 * day;
  const reads = [recall(1, 1, 1), recall(2, 2, 1), recall(3, 7, 2), recall(4, 9, 2)];
  vi.spyOn(bench.views.reader(), 'recallsServing').mockResolvedValue(reads);
  const auditor = { ...bench.caller, roles: ['reader', 'auditor'] as const };
  const ask = (more: Partial<HistoryInput> = {}) =>
    bench.queries.history({ key: 'db', include_reads: true, ...more }, auditor);
  const told = async (more: Partial<HistoryInput> = {}) =>
    (await ask(more)).entries.map(({ event, version, recall_id }) => recall_id ?? `${event} ${version}`);
  return { bench, ask, told };
}

describe('reads in a history', () => {
  it('stand among what happened to the memory: who was served which version, when and with what score', async () => {
    const { bench, ask, told } = await served();
    expect(await told()).toEqual(['recorded 1', 'r1', 'r2', 'revised 2', 'r3', 'r4']);
    expect((await ask()).entries[4]).toEqual({
      event: 'served',
      version: 2,
      score: 0.3,
      recall_id: 'r3',
      recorded_at: date(7),
      system_from: date(7),
      who: { principal: 'bob', agent: 'spec' },
    });
    const without = await bench.queries.history({ key: 'db' }, bench.caller);
    expect(without.entries.map(({ event }) => event)).toEqual(['recorded', 'revised']);
  });

  it('are for auditors alone, and put on record before they are told', async () => {
    const { bench, ask } = await served();
    await expect(bench.queries.history({ key: 'db', include_reads: true }, bench.caller)).rejects.toMatchObject({
      code: 'forbidden',
      details: { parameter: 'include_reads' },
    });
    expect(bench.audited).toEqual([]);
    await ask();
    expect(bench.audited).toMatchObject([{ ask: 'shown', rows: 4, about: 'm1' }]);
    expect(JSON.parse(bench.audited[0]!.parameters)).toMatchObject({ include_reads: true, memory_id: 'm1' });
    await bench.queries.history({ key: 'db' }, bench.caller);
    expect(bench.audited).toHaveLength(1);
  });

  it('are those that were known then, and those of versions that held', async () => {
    const { told } = await served();
    expect(await told({ as_of: date(1.5) })).toEqual(['recorded 1', 'r1']);
    expect(await told({ valid_at: date(1) })).toEqual(['recorded 1', 'r1', 'r2']);
  });

  it('come with the page that they fell into, and no more of them than a page has entries', async () => {
    const { ask, told } = await served();
    const first = await ask({ limit: 1 });
    expect(first.entries.map(({ recall_id, version }) => recall_id ?? version)).toEqual([2, 'r4']);
    expect(first.notes).toEqual([expect.stringMatching(/^Earlier reads of this stretch that are left out: 1\. /)]);
    const second = await ask({ limit: 1, cursor: first.next! });
    expect(second.entries.map(({ recall_id, version }) => recall_id ?? version)).toEqual([1, 'r2']);
    expect(second.next).toBeUndefined();
    expect(await told({ limit: 6 })).toHaveLength(6);
  });
});
