import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { afterwards } from './afterwards.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function work() {
  const seen: string[] = [];
  const later = afterwards(
    async () => {
      seen.push('begun');
      return async () => void seen.push('ended');
    },
    () => seen.push('failed'),
    { pause: 500, atMost: 5_000 },
  );
  return { later, seen };
}

it('waits until nothing was answered for a moment', () => {
  const { later, seen } = work();
  vi.advanceTimersByTime(1_000);
  for (let calls = 0; calls < 4; calls++) {
    later.answered();
    vi.advanceTimersByTime(400);
  }
  expect(seen).toEqual([]);
  vi.advanceTimersByTime(100);
  expect(seen).toEqual(['begun']);
  later.answered();
  vi.advanceTimersByTime(10_000);
  expect(seen).toEqual(['begun']);
});

it.each([false, true])('waits no longer than it may, asked without a pause: %s', (asked) => {
  const { later, seen } = work();
  for (let passed = 0; passed < 4_800; passed += 400) {
    vi.advanceTimersByTime(400);
    if (asked) later.answered();
  }
  expect(seen).toEqual([]);
  vi.advanceTimersByTime(200);
  expect(seen).toEqual(['begun']);
});

it('ends what was begun, and never begins what was not', async () => {
  const one = work();
  vi.advanceTimersByTime(5_000);
  await one.later.close();
  expect(one.seen).toEqual(['begun', 'ended']);
  const other = work();
  other.later.answered();
  await other.later.close();
  vi.advanceTimersByTime(10_000);
  expect(other.seen).toEqual([]);
});

it('tells what kept it from beginning, and ends nothing then', async () => {
  const failed = vi.fn();
  const later = afterwards(() => Promise.reject(new Error('no')), failed, { pause: 1, atMost: 2 });
  vi.advanceTimersByTime(2);
  await later.close();
  expect(failed).toHaveBeenCalledWith(new Error('no'));
});
