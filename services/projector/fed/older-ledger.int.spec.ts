import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Ledger, Position } from '#ledger/ledger.js';
import { openSqliteViews } from '#views/sqlite/open-sqlite-views.js';
import type { Feed } from '../feed/feed.js';
import { createMemoryFeed, type MemoryFeed } from '../feed/test-support/memory-feed.js';
import { allProjections } from '../projections/all-projections.js';
import { runRelay } from '../relay/run-relay.js';
import { type FedStation, fedStation, settled } from '../test-support/fed-station.js';
import { type TestHome, testHome } from '../test-support/test-home.js';

const names = allProjections.map(({ name }) => name);
const quiet = { info: () => undefined, warn: () => undefined };

let home: TestHome;
let feed: MemoryFeed;
let stations: FedStation[];
let lives = 0;
let relaying: AbortController | undefined;
let relay: Promise<void> | undefined;

beforeEach(async () => {
  home = await testHome();
  feed = createMemoryFeed(1);
  stations = [];
});
afterEach(async () => {
  for (const station of stations) await station.stop();
  await endRelay();
  await home.remove();
});

function relayFrom(ledger: Ledger, warned: string[] = []): void {
  relaying = new AbortController();
  const log = { ...quiet, warn: (_: object, sentence: string) => void warned.push(sentence) };
  const elect = async (lead: (lease: AbortSignal) => Promise<void>, signal: AbortSignal) => lead(signal);
  relay = runRelay({ ledger, openPublisher: feed.openPublisher, elect, log }, relaying.signal);
}
async function endRelay(): Promise<void> {
  relaying?.abort();
  await relay;
}
async function station(ledger: Ledger): Promise<FedStation> {
  const options = { ledger: home.ledger.id, shapes: allProjections, log: quiet };
  const views = await openSqliteViews(join(home.folder, 'fed.db'), options);
  // A group of its own for each, as a server's numbers of generations make it: they are never given twice.
  const life = ++lives;
  const consume: Feed['consume'] = (group, ...rest) => feed.feed.consume(`${group} of ${life}`, ...rest);
  const made = fedStation({ ledger, vault: home.vault, feed: { ...feed.feed, consume }, views });
  stations.push(made);
  return made;
}

/** The ledger as it was: nothing after a position. */
function asOf(last: Position): Ledger {
  return {
    ...home.ledger,
    head: async () => last,
    async *readAll(options) {
      for await (const event of home.ledger.readAll(options)) if (event.position <= last) yield event;
    },
    async *subscribeAll(_after, signal) {
      yield { caughtUp: true, position: last };
      await sleep(600_000, undefined, { signal }).catch(() => undefined);
    },
  };
}

it('makes the views anew from an older copy of the ledger, and takes nothing of later from the feed', async () => {
  const { position } = await home.events.write('kept', {});
  await home.events.write('lost', {});
  relayFrom(home.ledger);
  const before = await station(home.ledger);
  await settled(before.views, home.ledger, names);
  await before.stop();
  stations = [];
  await endRelay();

  const older = asOf(position);
  const warned: string[] = [];
  relayFrom(older, warned);
  const after = await station(older);
  await expect
    .poll(async () => (await after.views.reader().memory('b1', 'lost')) === undefined, { timeout: 30_000 })
    .toBe(true);
  await settled(after.views, older, names);
  // What the feed still brought would be there by now.
  await sleep(500);
  expect(await after.views.reader().memory('b1', 'kept')).toBeDefined();
  expect(await after.views.reader().memory('b1', 'lost')).toBeUndefined();
  for (const generation of await after.views.generations()) expect(generation.position).toBe(position);
  expect(warned).toEqual([expect.stringContaining('the feed has come further than the ledger reaches')]);
}, 90_000);
