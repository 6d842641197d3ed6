import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openEventStoreLedger } from '#ledger/eventstoredb/eventstoredb-ledger.js';
import { openSqliteLedger } from '#ledger/sqlite/sqlite-ledger.js';
import { createProjector } from '#projector/create-projector.js';
import { allProjections } from '#projector/projections/all-projections.js';
import { openFileVault } from '#sealing/sqlite/open-file-vault.js';
import { withEngine } from '#test/engines/with-engine.js';
import { type Stack, startStack } from '#test/stack/start-stack.js';
import { dumpDigest } from '#views/canonical-dump.js';
import { openPostgresViews } from '#views/postgres/open-postgres-views.js';
import { openSqliteViews } from '#views/sqlite/open-sqlite-views.js';
import type { Views } from '#views/views.js';
import { canonicalViews } from './random/canonical-views.js';
import { randomCommands, timesToLive } from './random/commands.js';
import { player } from './random/player.js';
import { moved, startTwins, type Twins } from './random/twins.js';
import { openStage, type Scene, type Stage } from './scene.js';

/** CI plays some, always the same; `npm run test:parity` 2,000, each time others. */
const full = process.env.HINDSIGHT_LEDGER_PARITY;
const count = Number(full ?? 300);
/** What failed is played again by its seed, which the failure names. */
const seed = Number(process.env.HINDSIGHT_LEDGER_PARITY_SEED ?? (full ? randomBytes(4).readUInt32BE() : 4));
const commands = randomCommands(count, seed);

/** What a scene keeps of an answer, as far as this is asked below. */
interface Said {
  readonly tool?: string;
  readonly structured?: { readonly items?: readonly object[] };
}

const log = { info: () => undefined, warn: () => undefined };
const shapes = allProjections;
const partitions = 4;

withEngine(
  'postgres',
  'redis',
  'kafka',
)(`${count} random commands with the seed ${seed}`, () => {
  let twins: Twins;
  let stages: readonly Stage[] = [];
  let scenes: readonly Scene[] = [];
  let ledgerId: string;
  let engines: Stack | undefined;
  beforeAll(async () => {
    twins = await startTwins();
    const options = { sameKeys: true, laterBy: Object.values(timesToLive) };
    stages = [twins.embedded, twins.distributed].map((profile) => openStage(profile, twins.tokens.mine, options));
    scenes = stages.map((stage) => stage.scene());
    const ledger = await openSqliteLedger(join(twins.home, 'ledger.db'));
    ledgerId = ledger.id;
    await ledger.close();
  });
  afterAll(async () => {
    for (const stage of stages) await stage.disconnect();
    await twins?.close();
    await engines?.close();
  });

  it('are answered the same by both profiles', { timeout: 1_800_000 }, async () => {
    const players = scenes.map((scene) =>
      player(scene, { mine: scene.client, theirs: scene.clientOf(twins.tokens.theirs) }),
    );
    let [searches, found] = [0, 0];
    for (const [step, command] of commands.entries()) {
      if (step === Math.floor(count / 2)) await Promise.all(scenes.map(replayed));
      await Promise.all(players.map((each) => each.play(command, step)));
      const [embedded, distributed] = scenes.map((scene) => scene.said.splice(0));
      expect(distributed, `step ${step}: ${JSON.stringify(command)}`).toEqual(embedded);
      for (const { tool, structured } of embedded as Said[]) {
        if (tool !== 'memory_search' || !structured?.items) continue;
        searches += 1;
        if (structured.items.length > 0) found += 1;
      }
    }
    // Two empty answers agree on little.
    expect(found).toBeGreaterThan(searches / 3);
  });

  it('leave the same views', async () => {
    for (const scene of scenes) await scene.client.ask('memory_stats', {});
    const embedded = await openSqliteViews(join(twins.home, 'views.db'), { ledger: ledgerId, shapes, log });
    const distributed = await viewsIn(twins.distributed.stack.databases.viewsUrl);
    try {
      // What was served is projected aside: no answer waits for it.
      const recalls = async () => Promise.all([embedded, distributed].map((views) => rowsOf(views, 'recalls')));
      await expect.poll(async () => new Set(await recalls()).size, { timeout: 30_000, interval: 200 }).toBe(1);
      const [expected, found] = await Promise.all(
        [embedded, distributed].map((views, at) => canonicalViews(views, scenes[at]!.masking)),
      );
      expect(Object.keys(found!).sort()).toEqual(Object.keys(expected!).sort());
      for (const table of Object.keys(expected!)) expect(found![table], table).toEqual(expected![table]);
      expect(expected!.versions!.length).toBeGreaterThan(count / 10);
    } finally {
      await embedded.close();
      await distributed.close();
    }
  });

  it('are projected from the moved ledger to the very bytes', async () => {
    await twins.embedded.close();
    const keysOf = (id: string) => {
      const paths = { keysDb: join(twins.home, 'keys.db'), masterKeyFile: join(twins.home, 'master.key') };
      return openFileVault(paths, { random: randomBytes }, { ledgerHasEvents: true, ledger: id });
    };
    const former = await openSqliteLedger(join(twins.home, 'ledger.db'));
    const keys = await keysOf(former.id);
    const embedded = await openSqliteViews(join(twins.home, 'views.db'), { ledger: ledgerId, shapes, log });
    const last = createProjector({ ledger: former, vault: keys, views: embedded, log });
    await last.catchUp({ everything: true });
    const expected = await digests(embedded);
    await last.close();
    await embedded.close();
    await keys.close();
    await former.close();
    engines = await startStack({ services: {} });
    const env = await moved(twins.home, engines);
    const ledger = await openEventStoreLedger(env.HINDSIGHT_LEDGER_EVENTSTORE_URL);
    const vault = await keysOf(ledger.id);
    const views = await viewsIn(engines.databases.viewsUrl);
    const projector = createProjector({ ledger, vault, views, log });
    try {
      await projector.catchUp({ everything: true });
      expect(await digests(views)).toEqual(expected);
    } finally {
      await projector.close();
      await views.close();
      await vault.close();
      await ledger.close();
    }
  });

  const viewsIn = (url: string) =>
    openPostgresViews(url, { ledger: ledgerId, shapes, partitions, role: 'projector', log });
});

async function replayed(scene: Scene): Promise<void> {
  const { code, stdout, stderr } = await scene.command(['replay', '--check', '--json']);
  expect(code, stdout + stderr).toBe(0);
}

async function rowsOf(views: Views, projection: string): Promise<number> {
  const found = (await views.generations()).find((each) => each.active && each.projection === projection);
  return found ? ((await views.countRows(found)).get(projection) ?? 0) : -1;
}

async function digests(views: Views): Promise<Record<string, object>> {
  const found: Record<string, object> = {};
  for (const generation of await views.generations()) {
    if (!generation.active) continue;
    const { digest, rows } = await dumpDigest(views, generation);
    found[generation.projection] = { digest, rows: Object.fromEntries(rows) };
  }
  return found;
}
