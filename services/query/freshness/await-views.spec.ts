import { describe, expect, it } from 'vitest';
import { encodeBasis } from '#contract/basis.js';
import type { Caller } from '#contract/caller.js';
import type { CommandPort } from '#contract/command-port.js';
import { awaitViews } from './await-views.js';
import { knownHeads, notingAnswers } from './known-heads.js';

function bench(given: { passed?: string; head?: string; patience?: number } = {}) {
  const state = { passed: given.passed, stamp: 's1', looks: 0 };
  const heads = knownHeads();
  const waits = awaitViews({
    heads,
    stamp: async () => state.stamp,
    passed: async () => {
      state.looks++;
      return state.passed;
    },
    head: async () => given.head ?? 'p9',
    patience: given.patience ?? 100,
  });
  return { state, heads, waits };
}

describe('waiting for what was written', () => {
  it('is not needed where nothing is known to have been written', async () => {
    const { waits, state } = bench();
    expect(await waits('b1')).toBeUndefined();
    expect(state.looks).toBe(0);
  });

  it('ends when the views have passed the bank’s last write', async () => {
    const { waits, heads, state } = bench({ passed: 'p1', patience: 5_000 });
    await heads.note('b1', 'p3');
    const waiting = waits('b1');
    setTimeout(() => {
      state.passed = 'p3';
    }, 20);
    expect(await waiting).toBeUndefined();
    expect(state.passed).toBe('p3');
  });

  it('is over with a note when patience runs out', async () => {
    const { waits, heads } = bench({ passed: 'p1', patience: 20 });
    await heads.note('b1', 'p3');
    expect(await waits('b1')).toMatch(/not in this answer yet/);
    expect(await waits('another bank')).toBeUndefined();
  });

  it('waits for the basis that is asked for, but not for one that no event can have', async () => {
    const { waits, heads } = bench({ passed: 'p1', head: 'p5', patience: 20 });
    await heads.note('b1', 'p1');
    expect(await waits('b1', 'p4')).toMatch(/not in this answer/);
    expect(await waits('b1', 'p6')).toBeUndefined();
  });

  it('looks once at what was seen already, until the views are made anew', async () => {
    const { waits, heads, state } = bench({ passed: 'p3', patience: 20 });
    await heads.note('b1', 'p3');
    await waits('b1');
    await waits('b1');
    expect(state.looks).toBe(1);
    Object.assign(state, { stamp: 's2', passed: undefined });
    expect(await waits('b1')).toMatch(/not in this answer/);
  });
});

describe('what is known to have been written', () => {
  it('is the furthest that this process or others noted', async () => {
    const others = knownHeads();
    const own = knownHeads(others);
    await own.note('b1', 'p3');
    await own.note('b1', 'p2');
    expect(await own.last('b1')).toBe('p3');
    await others.note('b1', 'p4');
    expect(await own.last('b1')).toBe('p4');
    expect(await others.last('b2')).toBeUndefined();
  });

  it('comes from the bases of answers', async () => {
    const heads = knownHeads();
    const basis = encodeBasis({
      ledger: 'l',
      bank: 'b1',
      position: 'p7',
      hash: 'h',
      at: '2026-01-01T00:00:00.000Z',
      recipe: 'r',
    });
    const commands = { write: async () => ({ status: 'stored', basis }) } as unknown as CommandPort;
    await notingAnswers(commands, heads, 'l').write({ content: 'x' }, { bank: 'b1' } as Caller);
    expect(await heads.last('b1')).toBe('p7');
  });
});
