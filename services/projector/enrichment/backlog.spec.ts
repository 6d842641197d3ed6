import { expect, it } from 'vitest';
import type { FindingRow } from '#views/findings.js';
import type { ViewsReader } from '#views/reader.js';
import { backlog } from './backlog.js';

const start = Date.parse('2026-03-01T00:00:00.000Z');

/** Of a bank whose findings are projected ahead of the rest, as projections of their own may be. */
function views() {
  const rows: FindingRow[] = [];
  const reader = {
    headMoment: async () => ({ seq: bank.head, at: new Date(start).toISOString() }),
    docsFrom: async () => [],
    turnsBetween: async () => [],
    findingsAfter: async (_: string, after: number) => rows.filter(({ seq }) => seq > after),
  } as unknown as ViewsReader;
  const bank = {
    head: 1,
    reader,
    read(seq: number, minutes: number) {
      const at = new Date(start + minutes * 60_000).toISOString();
      const what = { memoryId: `m${seq}`, version: 1, rules: 1, model: 'a', names: [], times: [] };
      rows.push({ ...what, seq, at, tokensRead: 100, tokensWritten: 50 });
    },
  };
  return bank;
}

it('counts what a reading took once, however far ahead of the rest the views tell of it', async () => {
  const bank = views();
  const own = backlog(() => bank.reader, 'b1', 'a');
  bank.read(7, 0);
  bank.read(9, 10);
  for (const head of [2, 3, 5, 7, 8, 9]) {
    bank.head = head;
    await own.refresh();
    expect(own.spentSince(start - 1)).toBe(300);
  }
  expect(own.spentSince(start)).toBe(150);
});
