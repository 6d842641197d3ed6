import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { inSessionOrder } from './session-order.js';

/** Each takes less time than the one before it. */
function works(sessions: readonly (readonly (string | undefined)[])[], begun: number[], ended: number[]) {
  return sessions.map((of, at) => ({
    sessions: of,
    async run() {
      begun.push(at);
      await sleep(5 * (sessions.length - at));
      ended.push(at);
      return at;
    },
  }));
}

it('does what belongs to one session in the order given, and all else at once', async () => {
  const [begun, ended]: [number[], number[]] = [[], []];
  const given = works([['a'], ['b'], ['a'], [undefined], ['a', 'b'], ['b', 'b'], []], begun, ended);
  expect(await inSessionOrder(given)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  const orderOf = (...some: number[]) => ended.filter((at) => some.includes(at));
  expect(orderOf(0, 2, 4)).toEqual([0, 2, 4]);
  expect(orderOf(1, 4, 5)).toEqual([1, 4, 5]);
  expect(begun.slice(0, 4)).toEqual([0, 1, 3, 6]);
});

it('goes on after what failed, and says so', async () => {
  const done: string[] = [];
  const all = inSessionOrder([
    { sessions: ['a'], run: () => Promise.reject(new Error('refused')) },
    { sessions: ['a'], run: async () => void done.push('second') },
  ]);
  await expect(all).rejects.toThrow('refused');
  await expect.poll(() => done).toEqual(['second']);
});
