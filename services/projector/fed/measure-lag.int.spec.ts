import { afterEach, beforeEach, expect, it } from 'vitest';
import { partitionOf } from '#views/partition.js';
import { history } from '../test-support/history.js';
import { type TestHome, testHome } from '../test-support/test-home.js';
import { measureLag } from './measure-lag.js';

let home: TestHome;

beforeEach(async () => {
  home = await testHome();
});
afterEach(() => home.remove());

const at = (position: string | undefined) => ({ position, systemTime: '' });

it('counts by partition what lies after its own checkpoint, and says when the oldest of it was recorded', async () => {
  const other = ['b2', 'b3', 'b4', 'b5'].find((bank) => partitionOf(bank, 2) !== partitionOf('b1', 2))!;
  const [mine, theirs] = [partitionOf('b1', 2), partitionOf(other, 2)];
  const elsewhere = history(home.ledger, home.vault, other, 'o');
  const first = await home.events.write('m', {}, '2026-03-01T09:00:00.000Z');
  await elsewhere.write('n', {}, '2026-03-01T09:01:00.000Z');
  const third = await home.events.write('m', {}, '2026-03-01T09:02:00.000Z');
  await elsewhere.write('n', {}, '2026-03-01T09:03:00.000Z');
  const apart = [mine, theirs].sort().map((partition) => at(partition === mine ? third.position : first.position));
  const [behind, atHead, new_] = await measureLag(home.ledger, [
    apart,
    [at(await home.ledger.head()), at(await home.ledger.head())],
    [at(undefined), at(undefined)],
  ]);
  expect(behind).toEqual({
    events: mine === 0 ? [0, 2] : [2, 0],
    oldest: Date.parse('2026-03-01T09:01:00.000Z'),
    isAtLeast: false,
  });
  expect(atHead).toEqual({ events: [0, 0], oldest: undefined, isAtLeast: false });
  expect(new_).toMatchObject({ events: [2, 2], oldest: Date.parse('2026-03-01T09:00:00.000Z') });
  expect(await measureLag(home.ledger, [[at(undefined)]], 3)).toMatchObject([{ events: [3], isAtLeast: true }]);
});

it('counts nothing that changes no answer: whoever searches and then asks for the lag would never see it end', async () => {
  const { position } = await home.events.write('m', {});
  await home.events.recallServed();
  await home.events.recallServed();
  expect(await measureLag(home.ledger, [[at(position)]])).toEqual([
    { events: [0], oldest: undefined, isAtLeast: false },
  ]);
  await home.events.write('n', {}, '2026-03-01T10:00:00.000Z');
  expect(await measureLag(home.ledger, [[at(position)]])).toEqual([
    { events: [1], oldest: Date.parse('2026-03-01T10:00:00.000Z'), isAtLeast: false },
  ]);
});
