import { expect, it } from 'vitest';
import { kindOfStatus, retryAfterOf } from './trouble.js';

it.each([
  [200, undefined],
  [400, 'refused'],
  [413, 'refused'],
  [401, 'setup'],
  [404, 'setup'],
  [307, 'setup'],
  [429, 'away'],
  [500, 'away'],
  [529, 'away'],
])('takes %s for %s', (status, kind) => expect(kindOfStatus(status)).toBe(kind));

const now = Date.UTC(2026, 0, 1);
it.each([
  [null, undefined],
  ['2', 2_000],
  [' 0.5 ', 500],
  [new Date(now + 3_000).toUTCString(), 3_000],
  [new Date(now - 3_000).toUTCString(), 0],
  ['soon', undefined],
])('reads Retry-After %s as %s ms', (header, wait) => expect(retryAfterOf(header, now)).toBe(wait));
