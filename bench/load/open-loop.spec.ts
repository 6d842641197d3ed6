import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openLoop } from './open-loop.js';

it('goes on sending while earlier ones are unanswered, each due in its turn', async () => {
  const dues: number[] = [];
  let unanswered = 0;
  let most = 0;
  const { sent, failed } = await openLoop({ perSecond: 500, seconds: 0.1 }, async (_, due) => {
    dues.push(due);
    most = Math.max(most, ++unanswered);
    await sleep(60);
    unanswered--;
  });
  expect({ sent, failed, unanswered }).toEqual({ sent: 50, failed: 0, unanswered: 0 });
  expect(most).toBeGreaterThan(5);
  const gaps = dues.slice(1).map((due, index) => due - dues[index]!);
  for (const gap of gaps) expect(gap).toBeCloseTo(2, 6);
});

it('counts those that fail, and says of the first why', async () => {
  const outcome = await openLoop({ perSecond: 1000, seconds: 0.01 }, async (index) => {
    if (index % 2) throw new Error(`no ${index}`);
  });
  expect(outcome).toMatchObject({ sent: 10, failed: 5, error: new Error('no 1') });
});
