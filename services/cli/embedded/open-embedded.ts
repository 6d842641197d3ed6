import { statSync } from 'node:fs';
import { localPrincipal } from '#access/local-principal.js';
import { sqliteTokenStore } from '#access/sqlite/sqlite-token-store.js';
import { type HomePaths, prepareHome } from '#config/home.js';
import { roles } from '#contract/caller.js';
import { isHindsightError } from '#contract/errors.js';
import { type Commands, createCommands } from '#ingest/create-commands.js';
import { periodicSeals } from '#ingest/proof/periodic-seals.js';
import { markDamaged } from '#ledger/damage.js';
import { openSqliteLedger } from '#ledger/sqlite/sqlite-ledger.js';
import { createProjector } from '#projector/create-projector.js';
import { createEmbedding } from '#projector/embedding/create-embedding.js';
import { allProjections } from '#projector/projections/all-projections.js';
import { createQueries } from '#query/create-queries.js';
import { keptAnswers } from '#query/recall/kept-answers.js';
import { checkOwnWeights } from '#query/recall/ranking/own-weights.js';
import { recipeId } from '#query/recall/recipe.js';
import { erasedLater } from '#sealing/erased-later.js';
import { keyCopy } from '#sealing/key-copy.js';
import { openKeysDatabase } from '#sealing/sqlite/keys-database.js';
import { openFileVault } from '#sealing/sqlite/open-file-vault.js';
import { openEmbedder } from '#understanding/embeddings/open-embedder.js';
import { openSqliteEmbeddingCache } from '#understanding/embeddings/sqlite/sqlite-embedding-cache.js';
import { openSqliteViews } from '#views/sqlite/open-sqlite-views.js';
import { enrichmentSettings } from '../enrichment-settings.js';
import type { Opened, OpenOptions } from '../opened.js';
import { certificateSigner } from '../proof/certificate-signer.js';
import { sealTools } from '../proof/seal-tools.js';
import { bankNames } from './bank-names.js';
import { homePreparing } from './home-preparing.js';
import { noSuchBank } from './no-such-bank.js';
import type { Log } from './plain-log.js';
import { projectionState } from './projection-state.js';
import { borrowedViews, isWritable } from './read-only-home.js';
import { systemSources } from './system-sources.js';
import { withRecalls } from './with-recalls.js';

/** The embedded profile in one process: everything over the files of one home. */
export interface Embedded extends Opened {
  readonly paths: HomePaths;
}

/**
 * Opens a home, made where there is none. What can be read of a home that cannot be written is read.
 * @throws HindsightError of whatever keeps it from opening: keys, formats, rights, the disk, a bank that is not there
 */
export async function openEmbedded(options: OpenOptions): Promise<Embedded> {
  const { config, log, sources = systemSources, missingBank } = options;
  const paths = prepareHome(config.home);
  const readOnly = !isWritable(paths.root);
  const opened: (() => Promise<void> | void)[] = [];
  const close = async () => {
    for (const end of opened.splice(0).reverse()) await end();
  };
  try {
    const ledger = await openSqliteLedger(paths.ledger, {
      random: sources.random,
      now: sources.now,
      onMoved: (at) =>
        log.warn(
          {},
          `This ledger has moved to ${at}: nothing is written here any more, and what is read is as it was then.`,
        ),
    });
    opened.push(() => ledger.close());
    const ledgerHasEvents = (await ledger.head()) !== undefined;
    const vault = await openFileVault({ keysDb: paths.keys, masterKeyFile: config.masterKeyFile }, sources, {
      ledgerHasEvents,
      ledger: ledger.id,
      readOnly,
      copy: keyCopy({ file: config.keyBackup, ledger: ledger.id, now: sources.now }),
      warn: (sentence) => log.warn({}, sentence),
    });
    opened.push(() => vault.close());

    const borrowed = readOnly ? borrowedViews(paths.views) : undefined;
    if (borrowed) opened.push(() => borrowed.giveBack());
    const views = await openSqliteViews(borrowed?.path ?? paths.views, {
      ledger: ledger.id,
      shapes: allProjections,
      // That a new home has no views yet is no news.
      log: ledgerHasEvents ? log : quietly(log),
    });
    opened.push(() => views.close());
    const cache = openSqliteEmbeddingCache(paths.cache, { random: sources.random, log });
    opened.push(() => cache.close());
    const embedder =
      options.embedder ??
      (options.embeds ? openEmbedder(config, { log, spaces: () => views.vectors.spaces() }) : undefined);
    if (embedder) opened.push(() => embedder.close());
    const embedding =
      embedder && !readOnly ? createEmbedding({ ledger, vault, views, embedder, cache, log }) : undefined;
    let enrichment: Opened['enrichment'];
    const projector = createProjector({
      ledger,
      vault,
      views,
      log,
      now: sources.now,
      prepareAhead: homePreparing({
        ledger: paths.ledger,
        keysDb: paths.keys,
        masterKeyFile: config.masterKeyFile,
        views: paths.views,
      }),
      onCommitted() {
        embedding?.wake();
        enrichment?.wake();
      },
      markDamaged: (damage) => markDamaged(paths.ledger, { at: new Date(sources.now()).toISOString(), ...damage }),
    });
    opened.push(() => projector.close());

    const principal = localPrincipal();
    const seals = periodicSeals({
      ledger,
      tools: sealTools({ config, sources, principal: 'system' }),
      pace: { events: readOnly ? 0 : config.sealEvents, minutes: config.sealMinutes },
      log,
    });
    opened.push(() => seals.close());
    const commands: Commands = createCommands({
      ledger: seals.ledger,
      vault,
      sources,
      principal,
      log,
      recipe: recipeId,
      checkWeights: checkOwnWeights,
      matching: (...asked) => queries.matching(...asked),
      async isOfAnotherBank(memoryId, { bank: asking }) {
        await projector.catchUp();
        return views.reader().isMemoryOfAnotherBank(asking, memoryId);
      },
      erasing: {
        async upToDate() {
          // What was served too: it holds sealed questions that go with what was erased.
          await projector.catchUp({ everything: true });
          return views.reader();
        },
        // What this process has in memory of the views is read anew after a purge.
        purge: (of, memoryIds) => (memoryIds === 'all' ? cache.forgetBank(of) : cache.forget(of, memoryIds)),
        asTheyAre: async () => views.reader(),
      },
      sign: certificateSigner(config),
      questionDays: config.questionDays,
    });
    opened.push(() => commands.close());
    // Few have a language model: what asks one is loaded where it is.
    enrichment =
      readOnly || config.llmUrl === undefined
        ? undefined
        : (await import('../enrichment-of.js')).enrichmentOf(config, {
            ledger,
            vault,
            views,
            log,
            now: sources.now,
            record: (found, caller) => commands.enrich(found, caller),
          });
    const queries = createQueries({
      ledger,
      vault,
      sources,
      reader: () => withRecalls(views.reader(), projector),
      wasErased: (row, error) => erasedLater(ledger)({ ...row, revision: -1 }, error),
      viewsStamp: () => views.stamp(),
      async catchUp() {
        await projector.catchUp();
        return undefined;
      },
      answers: keptAnswers(),
      embedder,
      enrichment: enrichmentSettings(config),
      projection: (asking) => projectionState(ledger, views, projector, asking),
      recallMode: config.recallRecord,
      recordRecall: (recall, caller, durable) => commands.recordRecall(recall, caller, durable),
      recordAudit: (read, caller) => commands.recordAudit(read, caller),
      async catchUpRecalls() {
        await commands.flush();
        await projector.catchUp({ everything: true });
      },
      storeSizes: async () => storeSizes(paths),
      onRecordingFailed(error) {
        const why = isHindsightError(error) ? error.code : (error as Error).name;
        log.warn({ why }, 'What a recall was answered with could not be put on record.');
      },
    });
    const bank = await commands.bankNamed(config.bank, missingBank).catch(async (error: unknown) => {
      if (!isHindsightError(error, 'bank_not_found')) throw error;
      throw noSuchBank(config.bank, await bankNames({ ledger, vault, views, projector }).all());
    });
    if (!readOnly) void commands.resumeErasures();
    return {
      config,
      paths,
      log,
      bank,
      sources,
      ledger,
      vault,
      views,
      projector,
      embedding,
      enrichment,
      embedder,
      commands,
      queries,
      caller: (tool) => ({ bank, principal, roles, agent: 'hindsight-ledger', tool }),
      async tokens() {
        const store = sqliteTokenStore(await openKeysDatabase(paths.keys, { readOnly }), sources);
        opened.push(() => store.close());
        return store;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Named anew, not copied: a logger's methods belong to the logger. */
function quietly(log: Log): Pick<Log, 'info' | 'warn'> {
  return {
    info: (fields, message) => log.debug(fields, message),
    warn: (fields, message) => log.warn(fields, message),
  };
}

function storeSizes(paths: HomePaths): Record<string, number> {
  const files = { 'ledger.db': paths.ledger, 'keys.db': paths.keys, 'views.db': paths.views, 'cache.db': paths.cache };
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return Object.fromEntries(Object.entries(files).map(([name, path]) => [name, sizeOf(path) + sizeOf(`${path}-wal`)]));
}
