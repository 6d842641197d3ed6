import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { budget, budgetWindow } from './budget.js';

describe('what a model may cost', () => {
  it('is what is left of the last 24 hours, recorded or not', () => {
    let now = 1_000_000_000;
    const recorded = [
      { at: now - budgetWindow, tokens: 500 },
      { at: now - 1_000, tokens: 30 },
    ];
    const since = (moment: number) =>
      recorded.filter(({ at }) => at > moment).reduce((sum, { tokens }) => sum + tokens, 0);
    const spending = budget(100, since, () => now);
    expect(spending.left()).toBe(70);
    const back = spending.spend(25);
    expect(spending.left()).toBe(45);
    spending.spend(5);
    back();
    back();
    expect(spending.left()).toBe(65);
    now += budgetWindow;
    expect(spending.left()).toBe(100);
  });

  it('is without a bound where none is set', () => {
    const spending = budget(0, () => 1e12, Date.now);
    spending.spend(1e12);
    expect(spending.left()).toBe(Infinity);
  });

  const spends = fc.array(fc.record({ tokens: fc.nat(100), after: fc.nat(budgetWindow / 3), isTold: fc.boolean() }));
  test.prop([spends])('is never more than within any 24 hours, whatever is told of by records, once each', (given) => {
    let now = 0;
    const told: { at: number; tokens: number }[] = [];
    const all: { at: number; tokens: number }[] = [];
    const spending = budget(
      200,
      (since) => told.filter(({ at }) => at > since).reduce((sum, { tokens }) => sum + tokens, 0),
      () => now,
    );
    for (const { tokens, after, isTold } of given) {
      now += after;
      if (tokens <= spending.left()) {
        const back = spending.spend(tokens);
        all.push({ at: now, tokens });
        if (isTold) {
          told.push({ at: now, tokens });
          back();
        }
      }
      const within = all.filter(({ at }) => at > now - budgetWindow).reduce((sum, one) => sum + one.tokens, 0);
      expect(within).toBeLessThanOrEqual(200);
      expect(spending.left()).toBe(200 - within);
    }
  });
});
