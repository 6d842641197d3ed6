import { postgresTokenStore } from '#access/postgres/postgres-token-store.js';
import type { TokenStore } from '#access/token-store.js';
import { prepareHome } from '#config/home.js';
import type { Config } from '#config/settings.js';
import type { Sources } from '#contract/sources.js';
import { openEventStoreLedger } from '#ledger/eventstoredb/eventstoredb-ledger.js';
import type { Ledger } from '#ledger/ledger.js';
import { allProjections } from '#projector/projections/all-projections.js';
import { knownHeads } from '#query/freshness/known-heads.js';
import { keyCopy } from '#sealing/key-copy.js';
import { openKeysDatabase } from '#sealing/postgres/open-keys-database.js';
import { openPostgresVault } from '#sealing/postgres/open-postgres-vault.js';
import type { Vault } from '#sealing/vault.js';
import type { Meters } from '#telemetry/meters.js';
import type { Embedder } from '#understanding/embeddings/embedder.js';
import { openEmbedder } from '#understanding/embeddings/open-embedder.js';
import { openPostgresViews } from '#views/postgres/open-postgres-views.js';
import { type HotStore, openHotStore } from '#views/redis/hot-store.js';
import { type HotViews, openHotViews } from '#views/redis/open-hot-views.js';
import type { Views } from '#views/views.js';
import { notingWrites, type WrittenHeads } from '#views/written-heads.js';
import type { Log } from '../embedded/plain-log.js';

/** The engines of the distributed profile, as one process uses them: each opened when it is first asked for, by whoever asks. */
export interface Engines {
  /** To read from. */
  ledger(): Promise<Ledger>;
  /** Whose appends are told to other processes, so that they wait for them to be readable. */
  writtenLedger(): Promise<Ledger>;
  vault(): Promise<Vault>;
  /** `query` only reads. */
  views(role: 'query' | 'projector'): Promise<Views>;
  tokens(): Promise<TokenStore>;
  /** What the settings name, shared by the roles of one process; undefined for none. @param role by which it looks at the vectors there are */
  embedder(role: 'query' | 'projector'): Embedder | undefined;
  /** How far banks were written, as far as this process knows and others tell. */
  readonly heads: WrittenHeads;
  /** Undefined where there is no Redis in the settings. */
  hot(): Promise<HotViews | undefined>;
  /** Whether Redis answers; true where there is none. */
  hotIsThere(): boolean;
  close(): Promise<void>;
}

export interface EnginesOptions {
  readonly config: Config;
  readonly log: Log;
  readonly sources: Sources;
  /** Whether keys may be made: one role does, the others wait for it. */
  readonly makesKeys: boolean;
  /** Milliseconds that an append or read of the ledger is tried for. */
  readonly patience?: number;
  /** Milliseconds that opening the ledger is tried for: services ask again by themselves, and want to stop when they are told to. */
  readonly openingPatience?: number;
  readonly meters?: Pick<Meters, 'lookedUp'> | undefined;
}

export function openEngines({
  config,
  log,
  sources,
  makesKeys,
  patience = 10_000,
  openingPatience,
  meters,
}: EnginesOptions): Engines {
  const closing: (() => Promise<void> | void)[] = [];
  const open = <T extends { close(): Promise<void> | void }>(opening: () => Promise<T>) =>
    once(async () => {
      const opened = await opening();
      closing.push(() => opened.close());
      return opened;
    });
  const store = open(() =>
    openEventStoreLedger(config.eventstoreUrl, {
      deadline: Math.min(5_000, patience),
      patience,
      openingPatience,
      random: sources.random,
      onTrouble: (reason) => log.warn({ reason }, 'the ledger was lost; asking it again'),
    }),
  );
  const vault = open(async () => {
    const ledger = await store();
    if (makesKeys) prepareHome(config.home);
    return openPostgresVault({ url: config.keysUrl, masterKeyFile: config.masterKeyFile }, sources, {
      ledger: ledger.id,
      ledgerHasEvents: (await ledger.head()) !== undefined,
      viewsUrl: config.postgresUrl,
      create: makesKeys,
      copy: keyCopy({ file: config.keyBackup, ledger: ledger.id, now: sources.now }),
      warn: (sentence) => log.warn({}, sentence),
    });
  });
  const views = (role: 'query' | 'projector') =>
    open(async () => {
      const { id, place } = await store();
      return openPostgresViews(config.postgresUrl, {
        ledger: id,
        place,
        shapes: allProjections,
        partitions: config.kafkaPartitions,
        log,
        role,
        nearest: config.vectorIndex === 'on',
      });
    });
  const viewsOf = { query: views('query'), projector: views('projector') };
  let hotStore: HotStore | undefined;
  const hot = once(async () => {
    if (!config.redisUrl) return undefined;
    hotStore ??= openHotStore(config.redisUrl, {
      onTrouble: (reason) =>
        reason === undefined
          ? log.info({}, 'Redis is there again')
          : log.warn({ reason }, 'Redis is away: nothing is lost, and some things take longer'),
    });
    const knownBankKeys: Vault['knownBankKeys'] = async (bank) => (await vault()).knownBankKeys(bank);
    const { id, place } = await store();
    return openHotViews({
      store: hotStore,
      vault: { knownBankKeys },
      // Heads are positions: those of a ledger that was lost and put back would be waited for in vain.
      ledgerId: place === undefined ? id : `${id}.${place}`,
      random: sources.random,
      onLooked: meters?.lookedUp,
    });
  });
  // Names in Redis hold the ledger's id: until it is known, nothing is known of what others wrote.
  const others = async () => (await hot().catch(() => undefined))?.heads;
  const heads = knownHeads({
    note: async (bank, position) => (await others())?.note(bank, position),
    last: async (bank) => (await others())?.last(bank),
  });

  let embedder: { readonly opened: Embedder | undefined } | undefined;
  const openedEmbedder = (role: 'query' | 'projector'): Embedder | undefined => {
    if (embedder) return embedder.opened;
    const opened = openEmbedder(config, { log, spaces: async () => (await viewsOf[role]()).vectors.spaces() });
    if (opened) closing.push(() => opened.close());
    embedder = { opened };
    return opened;
  };

  return {
    heads,
    embedder: openedEmbedder,
    ledger: store,
    writtenLedger: async () => notingWrites(await store(), heads),
    vault,
    views: (role) => viewsOf[role](),
    tokens: open(async () =>
      postgresTokenStore(
        await openKeysDatabase(config.keysUrl, { ledger: (await store()).id, create: makesKeys }),
        sources,
      ),
    ),
    hot,
    hotIsThere: () => hotStore?.isThere() ?? true,
    async close() {
      for (const close of closing.splice(0).reverse()) await close();
      await hotStore?.close();
    },
  };
}

/** What could not be opened is tried again by whoever asks next. */
function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opening: Promise<T> | undefined;
  return () => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
}
