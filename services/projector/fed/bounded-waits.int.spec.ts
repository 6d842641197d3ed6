import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '#ledger/ledger.js';
import { openSqliteViews } from '#views/sqlite/open-sqlite-views.js';
import type { Views } from '#views/views.js';
import { prepareEvent } from '../fold/prepare-event.js';
import { allProjections } from '../projections/all-projections.js';
import { type FedParts, type FedStation, fedStation, settled } from '../test-support/fed-station.js';
import { type MischievousFeed, mischievousFeed, relayTo } from '../test-support/mischievous-feed.js';
import { digests, live, type TestHome, testHome } from '../test-support/test-home.js';

const names = allProjections.map(({ name }) => name);
const quiet = { info: () => undefined, warn: () => undefined };
const never = <T>() => new Promise<T>(() => undefined);

let home: TestHome;
let feed: MischievousFeed;
let stations: FedStation[];

beforeEach(async () => {
  home = await testHome();
  feed = mischievousFeed(1);
  stations = [];
});
afterEach(async () => {
  for (const station of stations) await station.stop();
  await home.remove();
});

const openViews = (): Promise<Views> =>
  openSqliteViews(join(home.folder, 'fed.db'), { ledger: home.ledger.id, shapes: allProjections, log: quiet });

/** A projector that gives up soon. */
async function station(parts: Partial<FedParts> = {}): Promise<FedStation> {
  const views = parts.views ?? (await openViews());
  const made = fedStation({ ledger: home.ledger, vault: home.vault, feed, ...parts, views }, { patience: 300 });
  stations.push(made);
  return made;
}

/** So many calls of a method are never answered. */
function hanging<T extends object>(target: T, method: keyof T & string, hang: { times: number; met: number }): T {
  return new Proxy(target, {
    get(on, name, receiver) {
      const found: unknown = Reflect.get(on, name, receiver);
      if (name !== method || typeof found !== 'function') return found;
      return (...given: unknown[]) => {
        if (hang.times <= 0) return found.apply(on, given);
        hang.times -= 1;
        hang.met += 1;
        return never();
      };
    },
  });
}

/** Reading of all gives nothing and does not end. */
function silentLedger(ledger: Ledger, hang: { times: number; met: number }): Ledger {
  return {
    ...ledger,
    readAll: (options) => {
      if (hang.times <= 0) return ledger.readAll(options);
      hang.times -= 1;
      hang.met += 1;
      return { [Symbol.asyncIterator]: () => ({ next: never }) };
    },
  };
}

async function expectAsRebuilt(one: FedStation): Promise<void> {
  const reference = await home.station({ file: 'reference.db' });
  await reference.projector.catchUp({ everything: true });
  expect(await digests(one)).toEqual(await digests(reference));
  await reference.close();
}

describe('a projector goes on when something never answers', () => {
  it.each(['stamp', 'checkpoints', 'numbersOf', 'load', 'commit'] as const)('views.%s', async (method) => {
    const hang = { times: 3, met: 0 };
    const one = await station({ views: hanging(await openViews(), method, hang) });
    await live(home.events, 20);
    await relayTo(feed, home.ledger, 5);
    await settled(one.views, home.ledger, names);
    await expectAsRebuilt(one);
    expect(hang.met).toBe(3);
    await expect
      .poll(() => one.logged)
      .toContainEqual(expect.stringContaining(`The read models (${method}) gave no answer`));
  });

  it('opening an event, which all projections wait for', async () => {
    let hangs = 1;
    const prepare: FedParts['prepare'] = (vault, stored) => (hangs-- > 0 ? never() : prepareEvent(vault, stored));
    const one = await station({ prepare });
    await live(home.events, 20);
    await relayTo(feed, home.ledger, 5);
    await settled(one.views, home.ledger, names);
    await expectAsRebuilt(one);
    await expect.poll(() => one.logged).toContainEqual(expect.stringContaining('(opening it) gave no answer'));
  });

  it('the ledger, while it is read for what the feed does not bring', async () => {
    const hang = { times: 0, met: 0 };
    const one = await station({ ledger: silentLedger(home.ledger, hang) });
    await live(home.events, 5);
    await settled(one.views, home.ledger, names);
    hang.times = 4;
    await live(home.events, 20);
    await settled(one.views, home.ledger, names);
    await expectAsRebuilt(one);
    expect(hang.met).toBe(4);
    await expect.poll(() => one.logged).toContainEqual(expect.stringContaining('The ledger (readAll) gave no answer'));
  });

  it('and gives its lease up: another process reads what it could not', async () => {
    const hang = { times: Number.POSITIVE_INFINITY, met: 0 };
    await live(home.events, 20);
    const deaf = await station({ ledger: silentLedger(home.ledger, hang) });
    await expect.poll(() => hang.met).toBeGreaterThan(0);
    await station();
    await settled(deaf.views, home.ledger, names);
    await expectAsRebuilt(deaf);
  });
});
