import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeEnvelope, encodeEvent } from '#events/envelope.js';
import { openSqliteViews } from '#views/sqlite/open-sqlite-views.js';
import type { Views } from '#views/views.js';
import { createProjector } from '../create-projector.js';
import { prepareEvent } from '../fold/prepare-event.js';
import { allProjections } from '../projections/all-projections.js';
import type { Projection } from '../projections/projection.js';
import { type FedParts, type FedStation, fedStation, settled } from '../test-support/fed-station.js';
import { type MischievousFeed, mischievousFeed, relayTo } from '../test-support/mischievous-feed.js';
import { digests, live, type TestHome, testHome } from '../test-support/test-home.js';
import { vaultWithout } from '../test-support/vault-without.js';
import type { FedProjectorOptions } from './create-fed-projector.js';

const names = allProjections.map(({ name }) => name);
const quiet = { info: () => undefined, warn: () => undefined };

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

const openViews = (projections: readonly Projection[] = allProjections): Promise<Views> =>
  openSqliteViews(join(home.folder, 'fed.db'), { ledger: home.ledger.id, shapes: projections, log: quiet });

async function station(options: FedProjectorOptions = {}, parts: Partial<FedParts> = {}): Promise<FedStation> {
  const views = await openViews(options.projections);
  const made = fedStation({ ledger: home.ledger, vault: home.vault, feed, views, ...parts }, options);
  stations.push(made);
  return made;
}

/** What a plain run over the whole ledger gives. */
async function expected(): Promise<Record<string, string>> {
  const reference = await home.station({ file: `reference-${Math.random()}.db` });
  await reference.projector.catchUp({ everything: true });
  const found = await digests(reference);
  await reference.close();
  return found;
}

const settle = ({ views }: FedStation) => settled(views, home.ledger, names);

describe('a projector on the feed', () => {
  it('projects what is there, and what comes', async () => {
    await live(home.events, 60);
    await relayTo(feed, home.ledger, 7);
    const one = await station();
    await settle(one);
    await home.events.write('later', { content: 'more' });
    await relayTo(feed, home.ledger);
    await settle(one);
    expect(await digests(one)).toEqual(await expected());
    expect(new Set(one.visible.map(([projection]) => projection))).toEqual(new Set(names));
    expect(one.projector.status()).toMatchObject(
      names.map((projection) => ({ projection, state: 'projecting', generation: 1, deadLetters: 0 })),
    );
  });

  it('opens each event once for all projections', async () => {
    const opened: string[] = [];
    const prepare: FedParts['prepare'] = (vault, event) => {
      opened.push(event.id);
      return prepareEvent(vault, event);
    };
    const one = await station({ stallAfter: 60_000 }, { prepare });
    await live(home.events, 60);
    await relayTo(feed, home.ledger, 7);
    await settle(one);
    expect(opened).toHaveLength(new Set(opened).size);
  });

  it('reads from the ledger what the feed no longer has', async () => {
    await live(home.events, 40);
    await relayTo(feed, home.ledger, 5);
    const one = await station();
    await settle(one);
    await one.stop();
    stations = [];
    await live(home.events, 40);
    await relayTo(feed, home.ledger, 5);
    await feed.forget(2);
    const other = await station();
    await settle(other);
    expect(await digests(other)).toEqual(await expected());
  });

  it('reads from the ledger what the feed does not bring', async () => {
    const one = await station();
    await live(home.events, 30);
    await settle(one);
    expect(await digests(one)).toEqual(await expected());
  });

  it('sets a poison event aside in the table and the topic, and counts it', async () => {
    const one = await station();
    const event = await home.events.sealed('bad', {});
    await home.events.append({ ...event, hash: Uint8Array.from(event.hash, (byte) => byte ^ 1) });
    await home.events.write('good', {});
    await relayTo(feed, home.ledger);
    await settle(one);
    await expect
      .poll(() => one.projector.status().map(({ deadLetters }) => deadLetters))
      .toEqual(names.map((name) => (name === 'recalls' ? 0 : 1)));
    // Events of memories are none of what `recalls` looks at.
    const looking = names.filter((name) => name !== 'recalls');
    expect(feed.letters).toMatchObject(looking.map(() => ({ generation: 1, eventId: event.id })));
    expect(new Set(feed.letters.map(({ projection }) => projection))).toEqual(new Set(looking));
    expect(await one.views.reader().memory('b1', 'good')).toBeDefined();
  });

  it('projects as blank what was erased before it came, and sets nothing aside', async () => {
    await live(home.events, 30);
    const ended = { secrets: new Set<string>(), banks: new Set<string>() };
    for (const memory of ['m1', 'm2']) {
      await home.events.erase(memory);
      for (const id of home.events.secretsOf(memory)) ended.secrets.add(id);
    }
    await home.events.write('m2', { content: 'anew' });
    const one = await station({}, { vault: vaultWithout(home.vault, ended) });
    await relayTo(feed, home.ledger, 5);
    await settle(one);
    expect(await digests(one)).toEqual(await expected());
    expect(feed.letters).toEqual([]);
  });

  it('stops at an event of a newer release, says so once, and goes on when the release is there', async () => {
    let isKnown = false;
    const one = await station(
      {},
      {
        prepare: async (vault, stored) =>
          stored.type === 'MemoryDreamt' && isKnown ? undefined : prepareEvent(vault, stored),
      },
    );
    const event = await home.events.sealed('m', {});
    await home.events.append(encodeEvent({ ...decodeEnvelope(event.bytes), type: 'MemoryDreamt' }));
    await home.events.write('after', {});
    await relayTo(feed, home.ledger);
    await expect
      .poll(() => one.projector.status().map(({ state, trouble }) => [state, trouble?.code]), { timeout: 5_000 })
      .toEqual(names.map(() => ['stopped', 'unknown_event']));
    expect(await one.views.reader().memory('b1', 'after')).toBeUndefined();
    isKnown = true;
    await settle(one);
    expect(one.logged.filter((line) => line.startsWith('a projection is stopped'))).toHaveLength(names.length);
  });

  it('builds a newer version beside the one in use and switches; the older release then stops that projection only', async () => {
    await live(home.events, 40);
    await relayTo(feed, home.ledger);
    const older = await station();
    await settle(older);
    const newer = allProjections.map((each) => (each.name === 'stats' ? { ...each, version: each.version + 1 } : each));
    const next = await station({ projections: newer });
    await expect
      .poll(async () => (await next.views.generations()).map(({ projection, generation }) => [projection, generation]))
      .toEqual(names.toSorted().map((name) => [name, name === 'stats' ? 2 : 1]));
    await expect
      .poll(() => older.projector.status().map(({ projection, state }) => [projection, state]), { timeout: 5_000 })
      .toEqual(names.map((name) => [name, name === 'stats' ? 'stopped' : 'projecting']));
    expect(older.projector.status().find(({ projection }) => projection === 'stats')?.trouble?.code).toBe(
      'newer_format',
    );
    await live(home.events, 10);
    await relayTo(feed, home.ledger);
    await settle(next);
    expect(await digests(next)).toEqual(await expected());
  });

  it('leaves a newer version to a replay, which goes over the ledger once', async () => {
    await live(home.events, 600);
    await relayTo(feed, home.ledger);
    const older = await station();
    await settle(older);
    await older.stop();
    stations = [];
    let events = 0;
    for await (const _event of home.ledger.readAll()) events++;
    const projections = allProjections.map((each) =>
      each.name === 'keywords' ? { ...each, version: each.version + 1 } : each,
    );
    // A slow one: whoever projects comes to the end long before it.
    const { views } = await home.station({ file: 'fed.db', projections });
    const commit: Views['commit'] = async (changes) => {
      await sleep(20);
      await views.commit(changes);
    };
    const slow = { ledger: home.ledger, vault: home.vault, log: quiet, views: { ...views, commit } };
    let next: Promise<FedStation> | undefined;
    const onProgress = (): void => {
      next ??= station({ projections, lookEvery: 10 });
    };
    const replayed = await createProjector(slow, { projections }).replay({ batch: 10, onProgress });
    expect(replayed.status).toBe('switched');
    expect(replayed.events).toBeLessThan(1.2 * events);
    const made = replayed.projections.find(({ projection }) => projection === 'keywords')!.generation;
    await expect
      .poll(async () => (await next!).projector.status().find(({ projection }) => projection === 'keywords'))
      .toMatchObject({ state: 'projecting', generation: made });
    expect(await digests(await next!)).toEqual(await expected());
  });

  it('moves to the generation that a replay has built', async () => {
    await live(home.events, 40);
    await relayTo(feed, home.ledger);
    const [one, other] = [await station(), await station()];
    await settle(one);
    const operator = await home.station({ file: 'fed.db' });
    const writing = (async () => {
      for (let index = 0; index < 30; index++) {
        await home.events.write(`w${index % 5}`, { content: `while it is replayed ${index}` });
        await relayTo(feed, home.ledger);
      }
    })();
    const replayed = await operator.projector.replay({ check: true });
    expect(replayed.status).toBe('switched');
    expect(replayed.projections.map(({ matches }) => matches)).toEqual(names.map(() => true));
    await writing;
    await home.events.write('after', { content: 'after the switch' });
    await relayTo(feed, home.ledger);
    await settle(one);
    await expect
      .poll(() => [one, other].flatMap(({ projector }) => projector.status().map(({ generation }) => generation)))
      .toEqual([...names, ...names].map(() => 2));
    await settle(other);
    expect(await digests(other)).toEqual(await expected());
  });
});
