import { expect, it } from 'vitest';
import { withoutPassword } from './shown-value.js';

it.each([
  ['postgres://ann:secret@db:5432/views', 'postgres://ann:***@db:5432/views'],
  ['esdb+discover://ann:se:cr@et@host:2113?tls=true', 'esdb+discover://ann:***@host:2113?tls=true'],
  ['redis://:secret@cache:6379', 'redis://:***@cache:6379'],
  [
    'postgres://db/views?user=ann&password=secret&sslmode=require',
    'postgres://db/views?user=ann&password=***&sslmode=require',
  ],
  ['postgres://ann:sec/ret@db/views', 'postgres://ann:***@db/views'],
  ['esdb://localhost:2113?tls=false', 'esdb://localhost:2113?tls=false'],
  ['http://collector:4318', 'http://collector:4318'],
  ['https://models/v1?api-version=1&api-key=secret', 'https://models/v1?api-version=1&api-key=***'],
  ['a bank: mine@home', 'a bank: mine@home'],
])('shows %s as %s', (given, shown) => expect(withoutPassword(given)).toBe(shown));
