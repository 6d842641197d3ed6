import { fc, test } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import { localRateLimit } from './rate-limit.js';

it('allows a minute’s calls at once, then evenly, each token by itself', async () => {
  let now = 0;
  const limit = localRateLimit(6, () => now);
  for (let call = 0; call < 6; call++) expect(await limit.take('t1', 1)).toEqual({ allowed: true });
  expect(await limit.take('t1', 1)).toEqual({ allowed: false, retryAfterMs: 10_000 });
  expect(await limit.take('t2', 6)).toEqual({ allowed: true });
  now += 9_999;
  expect(await limit.take('t1', 1)).toEqual({ allowed: false, retryAfterMs: 1 });
  now += 1;
  expect(await limit.take('t1', 1)).toEqual({ allowed: true });
});

it('takes more than a minute’s calls as all of them', async () => {
  let now = 0;
  const limit = localRateLimit(5, () => now);
  expect(await limit.take('t', 500)).toEqual({ allowed: true });
  expect(await limit.take('t', 500)).toEqual({ allowed: false, retryAfterMs: 60_000 });
  now = 60_000;
  expect(await limit.take('t', 500)).toEqual({ allowed: true });
});

const call = fc.record({ after: fc.integer({ min: 0, max: 20_000 }), calls: fc.integer({ min: 1, max: 5 }) });

test.prop([fc.integer({ min: 1, max: 60 }), fc.array(call, { maxLength: 60 })])(
  'never allows more than the limit and what was filled since, and keeps its word about when',
  async (perMinute, calls) => {
    let now = 0;
    let allowed = 0;
    const limit = localRateLimit(perMinute, () => now);
    for (const each of calls) {
      now += each.after;
      let taken = await limit.take('t', each.calls);
      if (!taken.allowed) {
        now += taken.retryAfterMs;
        taken = await limit.take('t', each.calls);
      }
      expect(taken).toEqual({ allowed: true });
      allowed += Math.min(each.calls, perMinute);
      expect(allowed).toBeLessThanOrEqual(perMinute + (now * perMinute) / 60_000 + 1e-3);
    }
  },
);

it('forgets tokens that were quiet for a minute when there are many', async () => {
  let now = 0;
  const limit = localRateLimit(1, () => now);
  await limit.take('first', 1);
  now = 1_000;
  for (let token = 0; token < 10_000; token++) await limit.take(`t${token}`, 1);
  expect(await limit.take('first', 1)).toMatchObject({ allowed: false });
  now = 70_000;
  await limit.take('another', 1);
  expect(await limit.take('first', 1)).toEqual({ allowed: true });
});
