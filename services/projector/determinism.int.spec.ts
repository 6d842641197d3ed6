import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { digests, live, type TestHome, testHome } from './test-support/test-home.js';

describe('views of the same ledger', () => {
  let home: TestHome;
  let expected: Record<string, string>;

  beforeAll(async () => {
    home = await testHome();
    await live(home.events, 240);
    const station = await home.station({ file: 'reference.db' });
    await station.projector.catchUp({ everything: true });
    expected = await digests(station);
  });
  afterAll(() => home.remove());

  it('are of every projection', () => {
    expect(Object.keys(expected)).toEqual([
      'findings',
      'keywords',
      'memories',
      'ratings',
      'recalls',
      'stats',
      'versions',
    ]);
  });

  it.each([1, 7, 100])('are the same bytes in batches of %i', async (batch) => {
    const station = await home.station({ file: `batches-${batch}.db`, batch });
    await station.projector.catchUp({ everything: true });
    expect(await digests(station)).toEqual(expected);
  });

  it('are the same bytes when two projectors take turns', async () => {
    const [one, other] = [
      await home.station({ file: 'shared.db', batch: 3 }),
      await home.station({ file: 'shared.db', batch: 5 }),
    ];
    await Promise.all([one.projector.catchUp({ everything: true }), other.projector.catchUp()]);
    expect(await digests(one)).toEqual(expected);
    expect(await digests(other)).toEqual(expected);
  });

  it('are the same bytes when the ledger is followed event by event, and rebuilt', async () => {
    const followed = await testHome();
    const station = await followed.station();
    const background = new AbortController();
    const running = station.projector.background(background.signal);
    for (let index = 0; index < 60; index++) {
      await followed.events.write(`m${index % 9}`, { content: `step ${index}`, tags: ['t'] });
      if (index % 2) await station.projector.catchUp({ everything: true });
      if (index % 3) await followed.events.recallServed();
    }
    await station.projector.catchUp({ everything: true });
    background.abort();
    await running;
    const before = await digests(station);
    const replayed = await station.projector.replay({ check: true });
    expect(replayed.status).toBe('switched');
    expect(replayed.projections.map(({ matches }) => matches)).toEqual(Object.keys(expected).map(() => true));
    expect(await digests(station)).toEqual(before);
    await followed.remove();
  });
});
