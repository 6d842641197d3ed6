import { setTimeout as sleep } from 'node:timers/promises';
import { fc } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { isHindsightError } from '#contract/errors.js';
import type { Views } from '#views/views.js';
import { allProjections } from '../projections/all-projections.js';
import { faultyViews, seeded } from '../test-support/faulty-views.js';
import { type FedStation, fedStation, settled } from '../test-support/fed-station.js';
import { type History, history } from '../test-support/history.js';
import { mischievousFeed, relayTo } from '../test-support/mischievous-feed.js';
import { digests, live, type TestHome, testHome } from '../test-support/test-home.js';
import { createWaitingProjector } from './create-waiting-projector.js';

export interface LivesHarness {
  readonly partitions: number;
  readonly runs: number;
  /** A new store for a ledger; each call of what is returned opens it as another process would. */
  store(home: TestHome): Promise<() => Promise<Views>>;
}

type Step =
  | { do: 'write'; bank: number; count: number }
  | { do: 'relay'; flush: number }
  | { do: 'forget'; kept: number }
  | { do: 'stop' | 'start' }
  | { do: 'faults'; rate: number }
  | { do: 'replay'; check: boolean }
  | { do: 'poison'; bank: number }
  | { do: 'lose' }
  | { do: 'wait'; ms: number };

const bank = fc.nat({ max: 3 });
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('write' as const), bank, count: fc.integer({ min: 1, max: 25 }) }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('relay' as const), flush: fc.integer({ min: 1, max: 20 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('forget' as const), kept: fc.nat({ max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('stop' as const, 'start' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('faults' as const), rate: fc.constantFrom(0, 0.05, 0.3) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('replay' as const), check: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('poison' as const), bank }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lose' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 60 }) }) },
);
const names = allProjections.map(({ name }) => name);
const quiet = { info: () => undefined, warn: () => undefined };

/** Whatever the feed, the store and the processes go through, the views become those of a plain run over the ledger. */
export function randomLives(name: string, harness: LivesHarness): void {
  describe(`projecting a feed: ${name}`, () => {
    it('gives what a plain run gives', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyStep, { minLength: 8, maxLength: 24 }), fc.nat(), (steps, seed) =>
          oneLife(harness, steps, seed),
        ),
        { numRuns: harness.runs, endOnFailure: true },
      );
    }, 300_000);
  });
}

async function oneLife(harness: LivesHarness, steps: readonly Step[], seed: number): Promise<void> {
  const random = seeded(seed);
  const faults = { rate: 0 };
  const home = await testHome();
  const feed = mischievousFeed(harness.partitions, { random, again: 0.2, joined: 0.4 });
  const open = await harness.store(home);
  const operator = await open();
  const banks = ['b1', 'b2', 'b3', 'b4'].map((id) => history(home.ledger, home.vault, id, `${id}-`));
  const stations: FedStation[] = [];
  const start = async () => {
    const views = faultyViews(await open(), faults, random);
    stations.push(fedStation({ ledger: home.ledger, vault: home.vault, feed, views }));
  };
  try {
    await start();
    await start();
    for (const step of steps) await take(step);
    faults.rate = 0;
    if (stations.length === 0) await start();
    await relayTo(feed, home.ledger);
    await settled(operator, home.ledger, names);
    const plain = await home.station({ file: 'plain.db' });
    await plain.projector.catchUp({ everything: true });
    expect(await digests({ views: operator })).toEqual(await digests(plain));
    const letters = await setAsideIn(operator);
    expect(letters).toEqual(await setAsideIn(plain.views));
    const told = new Set(feed.letters.map(({ projection, position }) => `${projection} ${position}`));
    expect(letters.filter((letter) => !told.has(letter))).toEqual([]);
  } finally {
    for (const station of stations) await station.stop();
    await operator.close();
    await home.remove();
  }

  async function take(step: Step): Promise<void> {
    switch (step.do) {
      case 'write':
        return live(banks[step.bank]!, step.count);
      case 'relay':
        return relayTo(feed, home.ledger, step.flush);
      case 'forget':
        return feed.forget(step.kept);
      case 'stop':
        return stations.shift()?.stop();
      case 'start':
        return stations.length < 3 ? start() : undefined;
      case 'faults':
        faults.rate = step.rate;
        return;
      case 'replay':
        return replayed(step.check);
      case 'poison':
        return poison(banks[step.bank]!);
      case 'lose':
        return operator.drop(await operator.generations());
      case 'wait':
        return sleep(step.ms);
    }
  }

  async function poison(events: History): Promise<void> {
    const event = await events.sealed('poisoned', {});
    await events.append({ ...event, hash: Uint8Array.from(event.hash, (byte) => byte ^ 1) });
  }

  async function replayed(check: boolean): Promise<void> {
    const views = await open();
    const deps = { ledger: home.ledger, vault: home.vault, views, log: quiet };
    const replaying = createWaitingProjector(deps, { stallAfter: 200 }).replay({ check });
    try {
      const { projections } = await replaying;
      for (const { matches } of projections) if (check) expect(matches).not.toBe(false);
    } catch (error) {
      // A poison event ends it; and the store may be lost under it.
      if (!isHindsightError(error, 'event_unreadable') && !isHindsightError(error, 'checkpoint_moved')) throw error;
    } finally {
      await views.close();
    }
  }
}

async function setAsideIn(views: Views): Promise<string[]> {
  const found: string[] = [];
  for (const id of await views.generations())
    if (id.active) for (const { position } of await views.deadLetters(id)) found.push(`${id.projection} ${position}`);
  return found.sort();
}
