import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { isAlike, likenessOf } from './alike.js';

const of = (text: string, key?: string) =>
  likenessOf({ content: JSON.stringify(text), ...(key === undefined ? {} : { key }) });
const alike = (one: string, other: string) => isAlike(of(one), of(other));

const long =
  'Ann keeps the spare keys of the Lisbon office in the blue drawer under the printer beside the window of the kitchen';

describe('isAlike', () => {
  it('holds for the same words, however they are written', () => {
    expect(alike(long, long)).toBe(true);
    expect(alike('The invoice was paid.', 'the INVOICE was paid')).toBe(true);
    expect(alike('数据库迁移完成了', '数据库迁移完成了。')).toBe(true);
  });

  it('holds where a tenth of the words differ, and not where more do', () => {
    expect(alike(long, `${long} today`)).toBe(true);
    expect(alike(long, long.replace('Lisbon', 'Berlin').replace('blue', 'red').replace('printer', 'desk'))).toBe(false);
    expect(alike('Ann drinks tea', 'Ann drinks coffee')).toBe(false);
    expect(alike(long, `${long} ${long.split(' ').reverse().join('x ')}`)).toBe(false);
  });

  it('never holds where numbers differ', () => {
    expect(alike(`${long} until 2024`, `${long} until 2025`)).toBe(false);
    expect(alike(`${long} until 2024`, `${long} until 2024`)).toBe(true);
    expect(alike(long, `${long} 7`)).toBe(false);
  });

  it.each([
    ['The gateway must retry.', 'The gateway must not retry.'],
    ['Rosa eats fish.', "Rosa doesn't eat fish."],
    ['这份报表可以直接发给外部的审计人员使用。', '这份报表不可以直接发给外部的审计人员使用。'],
    ['Rosa reports to Ken.', 'Ken reports to Rosa.'],
    ['The shop moved from Kafka to NATS.', 'The shop moved from NATS to Kafka.'],
  ])('never holds where one says the opposite: %j and %j', (one, other) => {
    expect(alike(one, other)).toBe(false);
  });

  it('holds where both say no, in whatever form', () => {
    expect(alike('The gateway must not retry.', 'the gateway mustn’t retry')).toBe(true);
    expect(alike('Rosa does not eat fish.', "Rosa doesn't eat fish")).toBe(true);
  });

  it('never holds between slots, nor of what has no words', () => {
    expect(isAlike(of(long, 'office.keys'), of(long, 'office.key'))).toBe(false);
    expect(isAlike(of(long, 'office.keys'), of(long))).toBe(false);
    expect(isAlike(of(long, 'office.keys'), of(long, 'office.keys'))).toBe(true);
    expect(alike('?!', '?!')).toBe(false);
  });
});

const words = fc.array(fc.constantFrom('tea', 'coffee', 'deploy', 'staging', 'berlin', 'v2', '7', '数据库'), {
  maxLength: 12,
});

test.prop([words, words])('holds both ways, and only where Jaccard’s share is at least .9', (one, other) => {
  const [first, second] = [of(one.join(' ')), of(other.join(' '))];
  expect(isAlike(first, second)).toBe(isAlike(second, first));
  const all = new Set([...first.terms, ...second.terms]);
  const shared = [...first.terms].filter((term) => second.terms.has(term));
  const isInOrder = [...second.terms].filter((term) => first.terms.has(term)).join() === shared.join();
  const isExpected = all.size > 0 && shared.length / all.size >= 0.9 && first.numbers === second.numbers && isInOrder;
  expect(isAlike(first, second)).toBe(isExpected);
});
