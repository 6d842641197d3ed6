import { expect, it } from 'vitest';
import { latencyWindow } from './latency-window.js';

it('has percentiles by nearest rank and the share of hits', () => {
  const window = latencyWindow();
  for (let at = 1; at <= 100; at++) window.add('b', at, at % 4 !== 0);
  expect(window.of('b')).toEqual({ count: 100, p50_ms: 50, p95_ms: 95, p99_ms: 99, hit_rate: 0.75 });
  expect(window.of('other')).toMatchObject({ count: 0, hit_rate: null });
});

it('remembers the last thousand', () => {
  const window = latencyWindow();
  for (let at = 0; at < 3000; at++) window.add('b', at < 1500 ? 1000 : 1, true);
  expect(window.of('b')).toMatchObject({ count: 3000, p99_ms: 1 });
});
