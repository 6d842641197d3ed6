import { describe, expect, it } from 'vitest';
import type { RatingOutcome } from '#events/memory-rated.js';
import { emptyBankIndex } from '../../bank-index/bank-index.js';
import { putDoc } from '../../bank-index/columns.js';
import { docRow } from '../../test-support/doc-row.js';
import { fakeVault } from '../../test-support/fake-vault.js';
import { meritOf } from './merit.js';

type Given = Partial<Parameters<typeof docRow>[0]>;

function bank(docs: readonly Given[]) {
  const index = emptyBankIndex('b1', fakeVault());
  for (const [doc, given] of docs.entries()) putDoc(index.columns, docRow({ ...given, doc }));
  const rate = (memoryId: string, seq: number, outcome: RatingOutcome, principal = 'ann') =>
    index.ratings.note([{ memoryId, seq, version: 1, principal, outcome, at: '2026-03-01T00:00:00.000Z' }]);
  return { rate, merits: (seq = 100) => docs.map((_, doc) => meritOf({ index, seq })(doc)) };
}

describe('meritOf', () => {
  it('adds nothing for what a writer said nothing of, but for where it comes from', () => {
    const [said, plain, agent] = bank([{ importance: 0.5, confidence: 1 }, {}, { origin: 'agent' }]).merits();
    expect([said, agent]).toEqual([plain, plain]);
    expect(bank([{ trust: 0.5 }]).merits()[0]).toBeCloseTo(0, 6);
  });

  it('rises with importance, with how sure the writer was and with how far the writer is trusted', () => {
    for (const name of ['importance', 'confidence', 'trust'] as const) {
      const [low, middle, high] = bank([{ [name]: 0.1 }, { [name]: 0.5 }, { [name]: 1 }]).merits();
      expect(low).toBeLessThan(middle!);
      expect(middle).toBeLessThan(high!);
    }
  });

  it('trusts by where a memory comes from where nobody says how far', () => {
    const [user, imported] = bank([{ origin: 'user' }, { origin: 'import' }]).merits();
    expect(user).toBeGreaterThan(imported!);
  });

  it('rises and falls with how a memory fared, up to the basis and not beyond', () => {
    const { rate, merits } = bank([{ memoryId: 'good' }, { memoryId: 'bad' }, { memoryId: 'unrated' }]);
    rate('good', 5, 'useful');
    rate('bad', 7, 'wrong');
    const [good, bad, unrated] = merits();
    expect(good).toBeGreaterThan(unrated!);
    expect(bad).toBeLessThan(unrated!);
    expect(merits(6)).toEqual([good, unrated, unrated]);
    expect(merits(4)).toEqual([unrated, unrated, unrated]);
  });

  it('passes over ratings of memories that are not there yet', () => {
    const { rate, merits } = bank([{}]);
    const before = merits();
    rate('nobody', 5, 'wrong');
    expect(merits()).toEqual(before);
  });
});
