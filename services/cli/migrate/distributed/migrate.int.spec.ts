import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { postgresTokenStore } from '#access/postgres/postgres-token-store.js';
import { homePaths } from '#config/home.js';
import { loadConfig } from '#config/load-config.js';
import { roles } from '#contract/caller.js';
import type { QueryPort } from '#contract/query-port.js';
import { type Commands, createCommands } from '#ingest/create-commands.js';
import { openEventStoreLedger } from '#ledger/eventstoredb/eventstoredb-ledger.js';
import type { Ledger } from '#ledger/ledger.js';
import { openSqliteLedger } from '#ledger/sqlite/sqlite-ledger.js';
import { verifyLedger } from '#ledger/verify-ledger.js';
import { createProjector, type Projector } from '#projector/create-projector.js';
import { allProjections } from '#projector/projections/all-projections.js';
import { createQueries } from '#query/create-queries.js';
import { recipeId } from '#query/recall/recipe.js';
import { openKeysDatabase } from '#sealing/postgres/open-keys-database.js';
import { openPostgresVault } from '#sealing/postgres/open-postgres-vault.js';
import type { Vault } from '#sealing/vault.js';
import { freshDatabase, type TestDatabase } from '#test/engines/engines.js';
import { startEventStore, type TestEventStore } from '#test/engines/eventstoredb/start-event-store.js';
import { withEngine } from '#test/engines/with-engine.js';
import { dumpDigest } from '#views/canonical-dump.js';
import { openSqliteViews } from '#views/sqlite/open-sqlite-views.js';
import type { Views } from '#views/views.js';
import { openEmbedded } from '../../embedded/open-embedded.js';
import { systemSources } from '../../embedded/system-sources.js';
import { openHomeStores } from '../home-stores.js';
import { move } from '../move.js';
import { openEngineStores } from './engine-stores.js';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const trust = 300;
let folder: string;
let server: TestEventStore;
let keys: TestDatabase;
let views: number;
const closing: (() => Promise<unknown>)[] = [];

withEngine('postgres')('a ledger that moves with its keys and tokens', () => {
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hl-migrate-'));
    server = await startEventStore({ folder: join(folder, 'eventstore') });
    keys = await freshDatabase();
    views = 0;
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
    await server.stop();
    await keys.drop();
    rmSync(folder, { recursive: true });
  });

  const home = (name: string) => join(folder, name);
  const configOf = (name: string) => loadConfig({ flags: { home: home(name) }, env: {} }).config;
  const embedded = async (name: string) => {
    const opened = await openEmbedded({ config: configOf(name), log });
    closing.push(() => opened.close());
    return opened;
  };
  const masterKey = () => homePaths(home('one')).masterKey;
  const addresses = () => ({
    eventstoreUrl: server.connectionString,
    keysUrl: keys.url,
    postgresUrl: undefined,
    masterKeyFile: masterKey(),
  });

  interface Station {
    readonly commands: Commands;
    readonly queries: QueryPort;
    readonly projector: Projector;
    readonly views: Views;
  }

  /** Commands and questions over any ledger and vault, with read models of their own. */
  async function station(ledger: Ledger, vault: Vault): Promise<Station> {
    const opened = await openSqliteViews(join(folder, `views-${++views}.db`), {
      ledger: ledger.id,
      shapes: allProjections,
      log,
    });
    const projector = createProjector({ ledger, vault, views: opened, log });
    const commands: Commands = createCommands({
      ledger,
      vault,
      sources: systemSources,
      principal: 'os:tester',
      log,
      recipe: recipeId,
      matching: (...asked) => queries.matching(...asked),
      isOfAnotherBank: async () => false,
    });
    const queries = createQueries({
      ledger,
      vault,
      sources: systemSources,
      reader: () => opened.reader(),
      viewsStamp: () => opened.stamp(),
      async catchUp() {
        await projector.catchUp();
        return undefined;
      },
      projection: async () => ({ lagEvents: 0, setAside: 0, generation: 1 }),
      recallMode: 'relaxed',
      recordRecall: (recall, caller, durable) => commands.recordRecall(recall, caller, durable),
      recordAudit: (read, caller) => commands.recordAudit(read, caller),
      storeSizes: async () => ({}),
      onRecordingFailed() {},
    });
    closing.push(async () => {
      await commands.close();
      await projector.close();
      await opened.close();
    });
    return { commands, queries, projector, views: opened };
  }

  async function atEngines(): Promise<Station & { ledger: Ledger }> {
    const ledger = await openEventStoreLedger(server.connectionString, { trust });
    const vault = await openPostgresVault({ url: keys.url, masterKeyFile: masterKey() }, systemSources, {
      ledger: ledger.id,
      ledgerHasEvents: true,
      create: false,
    });
    closing.push(async () => {
      await ledger.close();
      await vault.close();
    });
    return { ...(await station(ledger, vault)), ledger };
  }

  async function digestsOf({ views: of, projector }: Pick<Station, 'views' | 'projector'>) {
    await projector.catchUp();
    const found: Record<string, string> = {};
    for (const generation of await of.generations())
      if (generation.active) found[generation.projection] = (await dumpDigest(of, generation)).digest;
    return found;
  }

  it('moves memories, keys and tokens to EventStoreDB and PostgreSQL and back; an answer from before is given again there', async () => {
    const one = await embedded('one');
    const caller = one.caller('spec');
    for (let day = 1; day <= 25; day++)
      await one.commands.write(
        { content: `the deploy of day ${day} took ${day * 3} minutes`, key: `deploy.${day % 7}`, subjects: ['Ada'] },
        caller,
      );
    const { memory_id } = await one.commands.write({ content: 'the deploy server is called otter' }, caller);
    const before = await one.queries.search({ query: 'how long did the deploy take', top_k: 8 }, caller);
    await one.commands.forget({ memory_id: memory_id!, reason: 'renamed' }, caller);
    const { token } = await (await one.tokens()).create({ name: 'ci', bank: one.bank, roles: ['reader'] });
    const digests = await digestsOf(one);

    const from = await openHomeStores(home('one'), masterKey());
    const to = await openEngineStores(addresses(), {
      coming: { ledger: from.place.ledger.id, from: from.place.name },
      warn: () => {},
      trust,
    });
    const done = await move(from, to);
    expect(done).toMatchObject({ status: 'moved', tokens: 1 });
    expect(JSON.stringify(done)).not.toContain('otter');
    await to.close();
    await from.close();
    await expect(one.commands.write({ content: 'too late' }, caller)).rejects.toMatchObject({ code: 'ledger_moved' });

    const there = await atEngines();
    expect(await verifyLedger(there.ledger)).toMatchObject({ broken: [], missing: [] });
    expect(await digestsOf(there)).toEqual(digests);
    const who = { bank: one.bank, principal: 'os:tester', roles, agent: 'spec', tool: 'spec' };
    const again = await there.queries.search(
      { query: 'how long did the deploy take', top_k: 8, basis: before.basis },
      who,
    );
    expect(again.items).toEqual(before.items);
    expect((await there.queries.search({ query: 'deploy server otter' }, who)).items[0]?.content).not.toContain(
      'otter',
    );
    const tokens = postgresTokenStore(await openKeysDatabase(keys.url), systemSources);
    expect(await tokens.authenticate(token)).toMatchObject({ principal: 'token:ci', bank: one.bank });
    await tokens.revoke('ci');
    await tokens.close();

    await there.commands.write({ content: 'the deploy server is called badger now', key: 'server' }, who);
    const later = await there.queries.search({ query: 'deploy server badger' }, who);
    expect(later.items[0]?.content).toContain('badger');
    const grown = await digestsOf(there);

    const leaving = await openEngineStores(addresses(), { warn: () => {}, trust });
    const back = await openHomeStores(home('two'), homePaths(home('two')).masterKey, {
      ledger: leaving.place.ledger.id,
      from: leaving.place.name,
    });
    expect(await move(leaving, back)).toMatchObject({ status: 'moved' });
    await back.close();
    await leaving.close();
    await expect(there.commands.write({ content: 'too late' }, who)).rejects.toMatchObject({ code: 'ledger_moved' });

    const two = await embedded('two');
    expect(await digestsOf(two)).toEqual(grown);
    for (const answer of [before, later]) {
      const query = answer === before ? 'how long did the deploy take' : 'deploy server badger';
      const asked = { query, basis: answer.basis, ...(answer === before && { top_k: 8 }) };
      expect((await two.queries.search(asked, { ...who, bank: two.bank })).items).toEqual(answer.items);
    }
    expect(await (await two.tokens()).authenticate(token)).toBeUndefined();
    const head = await two.commands.write({ content: 'and on it goes' }, two.caller('spec'));
    expect(head.status).toBe('stored');
  });

  it('refuses keys of another ledger, and a ledger of another home, before anything is copied', async () => {
    await (await openKeysDatabase(keys.url, { ledger: 'another' })).close();
    const one = await embedded('one');
    await one.commands.write({ content: 'x' }, one.caller('spec'));
    const from = await openHomeStores(home('one'), masterKey());
    closing.push(() => from.close());
    const coming = { ledger: from.place.ledger.id, from: from.place.name };
    await expect(openEngineStores(addresses(), { coming, warn: () => {}, trust })).rejects.toMatchObject({
      code: 'keys_missing',
    });
    expect((await one.commands.write({ content: 'y' }, one.caller('spec'))).status).toBe('stored');
    const ledger = await openSqliteLedger(homePaths(home('one')).ledger);
    expect(await ledger.head()).toBeDefined();
    await ledger.close();
  });
});
