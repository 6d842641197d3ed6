import { describe, expect, it } from 'vitest';
import { testVault } from '#test/test-vault.js';
import type { ViewsReader } from '#views/reader.js';
import type { RecallRow } from '#views/rows.js';
import { expireQuestions } from './expire-questions.js';

const day = 86_400_000;
const now = Date.parse('2026-06-01T00:00:00.000Z');

/** A bank in which something was asked so many days ago each. */
async function asked(...daysAgo: readonly number[]) {
  const vault = await testVault();
  const rows = await Promise.all(
    daysAgo.map(async (ago, at) => ({
      recallNo: at + 1,
      recordedAt: new Date(now - ago * day).toISOString(),
      askedAt: new Date(now - ago * day).toISOString(),
      secretId: (await vault.freshSecret()).id,
    })),
  );
  const reader: Pick<ViewsReader, 'banks' | 'recallsOf'> = {
    banks: async () => [{ bank: 'b1' }] as Awaited<ReturnType<ViewsReader['banks']>>,
    recallsOf: async (_bank, { before, after, limit }) =>
      rows
        .filter((row) => row.askedAt < before! && (after === undefined || row.recallNo < after))
        .reverse()
        .slice(0, limit) as unknown as RecallRow[],
  };
  const open = async () => {
    const secrets = await Promise.all(rows.map(({ secretId }) => vault.secret(secretId)));
    return daysAgo.filter((_ago, at) => secrets[at] !== undefined);
  };
  return { vault, reader, now, open };
}

describe('questions that come to their end', () => {
  it('go together with those that would within a week, and no earlier than one has to', async () => {
    const bank = await asked(31, 28, 24, 22, 1);
    expect(await expireQuestions({ ...bank, days: 30 })).toMatchObject({ expired: 3, epoch: 2 });
    expect(await bank.open()).toEqual([22, 1]);
    expect(await expireQuestions({ ...bank, now: now + 7 * day, days: 30 })).toEqual({ expired: 0 });
    expect(await expireQuestions({ ...bank, now: now + 9 * day, days: 30 })).toMatchObject({ expired: 1 });
    expect(await bank.open()).toEqual([1]);
  });

  it('are many, and found again where a former try was killed between', async () => {
    const bank = await asked(...Array.from({ length: 1_200 }, () => 40));
    const rows = await bank.reader.recallsOf('b1', { before: new Date(now).toISOString(), limit: 2_000 });
    await bank.vault.destroy({ secrets: rows.slice(900).map(({ secretId }) => secretId!), subjects: [], banks: [] });
    expect(await expireQuestions({ ...bank, days: 30 })).toMatchObject({ expired: 900 });
    expect(await bank.open()).toEqual([]);
  });

  it('stay where nobody wants them to go', async () => {
    const bank = await asked(1_000);
    expect(await expireQuestions({ ...bank, days: 0 })).toEqual({ expired: 0 });
    expect(await bank.open()).toEqual([1_000]);
  });
});
