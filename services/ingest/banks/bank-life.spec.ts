import { describe, expect, it } from 'vitest';
import { isHindsightError } from '#contract/errors.js';
import type { Ledger, StoredEvent } from '#ledger/ledger.js';
import { bankLives } from './bank-life.js';

function bank(...types: string[]) {
  let reads = 0;
  let failing = false;
  const ledger: Pick<Ledger, 'id' | 'readStream'> = {
    id: 'l1',
    async *readStream(_stream, { from = 0 } = {}) {
      reads += 1;
      // What a read finds is what is there when it begins.
      const there = [...types];
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (failing) throw new Error('away');
      for (const [revision, type] of there.entries()) if (revision >= from) yield { revision, type } as StoredEvent;
    },
  };
  return {
    ledger,
    happens: (type: string) => types.push(type),
    fails: (is: boolean) => {
      failing = is;
    },
    reads: () => reads,
  };
}

const isErased = (error: unknown) => isHindsightError(error, 'bank_erased');

describe('whether a bank is there', () => {
  it('is asked of the ledger each time where nothing may be old', async () => {
    const { ledger, happens, reads } = bank('BankCreated');
    const lives = bankLives(ledger);
    await lives.insistOn('b1');
    await lives.insistOn('b1');
    expect(reads()).toBe(2);
    happens('BankErased');
    await expect(lives.insistOn('b1')).rejects.toSatisfy(isErased);
  });

  it('is taken from a moment ago where it may be, and never for longer', async () => {
    const { ledger, happens, reads } = bank('BankCreated');
    let now = 1_000;
    const lives = bankLives(ledger, { freshFor: 200, now: () => now });
    const first = lives.insistOn('b1');
    // The time that the read took is part of its answer's age.
    now += 150;
    await first;
    happens('BankErased');
    now += 49;
    await lives.insistOn('b1');
    expect(reads()).toBe(1);
    expect(await lives.of('b1')).toBe('erased');
    now += 1;
    await expect(lives.insistOn('b1')).rejects.toSatisfy(isErased);
    await expect(lives.insistOn('b1')).rejects.toSatisfy(isErased);
  });

  it('is asked for once by all who come while it is asked for', async () => {
    const { ledger, reads } = bank('BankCreated');
    const lives = bankLives(ledger, { freshFor: 200 });
    await Promise.all(Array.from({ length: 20 }, () => lives.insistOn('b1')));
    expect(reads()).toBe(1);
  });

  it('is not remembered of a bank that is not there yet, nor where it could not be found out', async () => {
    const { ledger, happens, fails, reads } = bank();
    const lives = bankLives(ledger, { freshFor: 200, now: () => 1_000 });
    await lives.insistOn('b1');
    happens('BankCreated');
    fails(true);
    await expect(lives.insistOn('b1')).rejects.toThrow('away');
    fails(false);
    await lives.insistOn('b1');
    await lives.insistOn('b1');
    expect(reads()).toBe(3);
  });
});
