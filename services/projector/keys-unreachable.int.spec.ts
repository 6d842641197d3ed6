import { afterEach, beforeEach, expect, it } from 'vitest';
import { HindsightError } from '#contract/errors.js';
import type { Vault } from '#sealing/vault.js';
import { openSqliteViews } from '#views/sqlite/open-sqlite-views.js';
import { createProjector } from './create-projector.js';
import { allProjections } from './projections/all-projections.js';
import { digests, live, type TestHome, testHome } from './test-support/test-home.js';

let home: TestHome;
beforeEach(async () => {
  home = await testHome();
});
afterEach(() => home.remove());

it('waits for keys that cannot be reached: their events are no poison', async () => {
  await live(home.events, 40);
  let isAway = true;
  const away =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (isAway) throw new HindsightError('keys_unreachable', 'The database of the keys cannot be reached.');
      return call(...args);
    };
  const { vault } = home;
  const unreachable: Vault = { ...vault, secret: away(vault.secret), knownBankKeys: away(vault.knownBankKeys) };
  const log = { info: () => undefined, warn: () => undefined };
  const views = await openSqliteViews(home.viewsPath, { ledger: home.ledger.id, shapes: allProjections, log });
  const projector = createProjector({ ledger: home.ledger, views, vault: unreachable, log });

  await expect(projector.catchUp()).rejects.toMatchObject({ code: 'keys_unreachable' });
  expect(await projector.deadLetters()).toEqual([]);
  isAway = false;
  await projector.catchUp();
  expect(await projector.deadLetters()).toEqual([]);

  const undisturbed = await home.station({ file: 'undisturbed.db' });
  await undisturbed.projector.catchUp();
  expect(await digests({ views })).toEqual(await digests(undisturbed));
  await projector.close();
  await views.close();
});
