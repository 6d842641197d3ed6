import { expect, it } from 'vitest';
import { checkClock } from './check-clock.js';

const now = Date.parse('2026-03-01T12:00:00.000Z');

it.each([
  ['', 'well'],
  ['2026-03-01T11:00:00.000Z', 'well'],
  ['2026-03-01T12:01:00.000Z', 'well'],
  ['2026-03-01T12:01:00.001Z', 'warning'],
])('a last moment at %j is %s', (systemTime, status) =>
  expect(checkClock(systemTime, now)).toMatchObject({ check: 'clock', status }),
);

it.each([
  ['2026-03-01T12:05:00.000Z', '5 min ahead'],
  ['2026-03-01T15:00:00.000Z', '3 h ahead'],
  ['2026-03-11T12:00:00.000Z', '10 days ahead'],
])('says how far %s is ahead, what that means and what to do', (systemTime, far) => {
  const { says, mend } = checkClock(systemTime, now);
  expect(says).toContain(far);
  expect(says).toMatch(/expire early/);
  expect(mend).toMatch(/^Set the clock/);
});
