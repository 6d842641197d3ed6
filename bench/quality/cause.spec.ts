import { expect, it } from 'vitest';
import { causeOf } from './cause.js';

const question = 'Which database runs the billing service?';

it.each([
  ['several', ['a', 'b', 'c', 'd'], ['x']],
  ['unsaid', ['We moved to PostgreSQL.'], ['The billing service has a database.']],
  ['rivals', ['Billing runs on PostgreSQL.'], ['The billing service has a database.']],
  ['ranking', ['The database of the billing service is PostgreSQL.'], ['The service is down.', 'A database.']],
  ['absent', ['The database of the billing service is PostgreSQL.'], []],
] as const)('is %s where words tell it', (cause, wanted, above) => {
  expect(causeOf(question, wanted, above)).toBe(cause);
});

it('reads Chinese words as well', () => {
  expect(causeOf('账单服务用哪个数据库？', ['账单服务用的数据库是 PostgreSQL。'], ['今天下雨。'])).toBe('ranking');
});
