import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { HindsightError } from '#contract/errors.js';
import { type PostgresEngine, startPostgres } from '#test/engines/postgres/start-postgres.js';
import { withOwnEngine } from '#test/engines/with-engine.js';
import { openPostgresViews } from '#views/postgres/open-postgres-views.js';
import type { Views } from '#views/views.js';
import { prepareEvent } from '../../fold/prepare-event.js';
import { allProjections } from '../../projections/all-projections.js';
import { type FedParts, type FedStation, fedStation, settled } from '../../test-support/fed-station.js';
import { type History, history } from '../../test-support/history.js';
import { type MischievousFeed, mischievousFeed, relayTo } from '../../test-support/mischievous-feed.js';
import { digests, live, type TestHome, testHome } from '../../test-support/test-home.js';

const partitions = 3;
const names = allProjections.map(({ name }) => name);
const log = { info: () => undefined, warn: () => undefined };

withOwnEngine('postgres')('projectors whose views are in a PostgreSQL that', () => {
  let postgres: PostgresEngine;
  let home: TestHome;
  let feed: MischievousFeed;
  let banks: History[];
  let stations: FedStation[];

  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.remove());
  beforeEach(async () => {
    home = await testHome();
    feed = mischievousFeed(partitions);
    banks = ['b1', 'b2', 'b3', 'b4', 'b5'].map((id) => history(home.ledger, home.vault, id, `${id}-`));
    stations = [];
  });
  afterEach(async () => {
    for (const station of stations) await station.stop();
    await home.remove();
    await postgres.stop();
    await postgres.wipe();
    await postgres.start();
  });

  const openViews = (): Promise<Views> =>
    openPostgresViews(postgres.url, {
      ledger: home.ledger.id,
      shapes: allProjections,
      partitions,
      role: 'projector',
      log,
    });
  async function station(parts: Partial<FedParts> = {}): Promise<FedStation> {
    const made = fedStation({ ledger: home.ledger, vault: home.vault, feed, views: await openViews(), ...parts });
    stations.push(made);
    return made;
  }
  async function write(rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      await Promise.all(banks.map((events) => live(events, 6)));
      await relayTo(feed, home.ledger, 9);
    }
  }
  async function expectSettled(): Promise<void> {
    const views = await openViews();
    await settled(views, home.ledger, names, 60_000);
    const plain = await home.station({ file: 'plain.db' });
    await plain.projector.catchUp({ everything: true });
    expect(await digests({ views })).toEqual(await digests(plain));
    await views.close();
  }

  it.each(['stop', 'kill'] as const)('goes away by %s in the middle of it and comes back lose nothing', async (how) => {
    await station();
    await station();
    const writing = write(8);
    await sleep(400);
    await postgres[how]();
    await sleep(600);
    await postgres.start();
    await writing;
    await expectSettled();
  });

  it('has lost all it had make it anew', async () => {
    const [one, two] = [await station(), await station()];
    await write(2);
    await expectSettled();
    await postgres.stop();
    await postgres.wipe();
    await postgres.start();
    await write(1);
    await expectSettled();
    const standing = () =>
      [one, two].flatMap(({ projector }) => projector.status().map(({ state, trouble }) => trouble?.code ?? state));
    await expect.poll(standing, { timeout: 20_000 }).toEqual([...names, ...names].map(() => 'projecting'));
  });

  it('is there while the keys are not set nothing aside, say so once each, and go on', async () => {
    let isThere = true;
    const prepare: FedParts['prepare'] = async (vault, event) => {
      if (isThere) return prepareEvent(vault, event);
      throw new HindsightError('keys_unreachable', 'The database of the keys does not answer.');
    };
    const one = await station({ prepare });
    await write(1);
    isThere = false;
    await write(2);
    await expect
      .poll(() => one.projector.status().map(({ trouble }) => trouble?.code), { timeout: 10_000 })
      .toEqual(names.map(() => 'keys_unreachable'));
    await sleep(800);
    isThere = true;
    await expectSettled();
    for (const name of names) {
      const told = one.logged.filter(
        (line) => line.includes(`"${name}","code":"keys_unreachable"`) && !/is over/.test(line),
      );
      // Once where the feed brings it, once where it is read from the ledger.
      expect([1, 2]).toContain(told.length);
    }
    expect(one.projector.status().map(({ deadLetters }) => deadLetters)).toEqual(names.map(() => 0));
  });
});
