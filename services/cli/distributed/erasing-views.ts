import { setTimeout as sleep } from 'node:timers/promises';
import { HindsightError } from '#contract/errors.js';
import type { ErasingViews } from '#ingest/erase/erasing-deps.js';
import type { Position } from '#ledger/ledger.js';
import type { Engines } from './engines.js';
import { viewsPassed } from './views-passed.js';

/** Milliseconds that others get to project what was written: an erasure goes on by itself when it takes longer. */
const patience = 5_000;
const lookEvery = 25;

/** The derived copies, which others make: they are waited for. What is hot is purged, too. */
export function erasingViews(engines: Engines, head: () => Promise<Position | undefined>): ErasingViews {
  return {
    async upToDate(bank) {
      const views = await engines.views('query');
      const target = (await head()) ?? '';
      for (const until = performance.now() + patience; ((await viewsPassed(views, bank)) ?? '') < target; ) {
        if (performance.now() >= until)
          throw new HindsightError('views_behind', 'The views have not come to what was written last.', { bank });
        await sleep(lookEvery);
      }
      // A reader belongs to the generation that was in use when it was asked for.
      await views.stamp();
      return views.reader();
    },
    async purge(bank) {
      const hot = await engines.hot();
      if (hot && !(await hot.purge(bank)))
        throw new HindsightError('unreachable', 'Redis is away: what is hot of the bank is purged when it is back.');
    },
    async asTheyAre() {
      const views = await engines.views('query');
      await views.stamp();
      return views.reader();
    },
  };
}
