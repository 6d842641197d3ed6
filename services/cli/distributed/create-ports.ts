import type { Config } from '#config/settings.js';
import type { CommandPort } from '#contract/command-port.js';
import { isHindsightError } from '#contract/errors.js';
import type { QueryPort } from '#contract/query-port.js';
import type { Sources } from '#contract/sources.js';
import { type Commands, createCommands } from '#ingest/create-commands.js';
import { periodicSeals } from '#ingest/proof/periodic-seals.js';
import { createQueries } from '#query/create-queries.js';
import { awaitViews } from '#query/freshness/await-views.js';
import type { ProjectionState } from '#query/query-deps.js';
import { keptAnswers } from '#query/recall/kept-answers.js';
import { checkOwnWeights } from '#query/recall/ranking/own-weights.js';
import { recipeId } from '#query/recall/recipe.js';
import { erasedLater } from '#sealing/erased-later.js';
import { observedLedger } from '#telemetry/observed-ledger.js';
import type { Views } from '#views/views.js';
import type { Log } from '../embedded/plain-log.js';
import { enrichmentSettings } from '../enrichment-settings.js';
import { certificateSigner } from '../proof/certificate-signer.js';
import { sealTools } from '../proof/seal-tools.js';
import type { Engines } from './engines.js';
import { erasingViews } from './erasing-views.js';
import { ofAnotherBank } from './of-another-bank.js';
import type { Telemetry } from './open-telemetry.js';
import { viewsPassed } from './views-passed.js';

/**
 * Milliseconds for which a process takes a bank for alive, and that a deletion waits. Asking EventStoreDB before each write took a fifth of
 * what one ingest service acknowledged: 403 a second of 500 that were asked for (docs/scale.md).
 */
const bankLifeFreshFor = 200;

interface Parts {
  /** Of a process that is asked for its figures. */
  readonly telemetry?: Pick<Telemetry, 'meters' | 'tracer'> | undefined;
  readonly engines: Engines;
  readonly config: Config;
  readonly sources: Sources;
  readonly log: Log;
}

/**
 * Commands over the ledger. The views are only asked for what a forget filter means and whether a memory is another bank's: without them,
 * everything else goes on.
 * @param principal who makes banks by using them
 */
export async function commandsOver(parts: Parts, queries: QueryPort, principal?: string): Promise<Commands> {
  const { engines, config, sources, log, telemetry = {} } = parts;
  const ledger = await engines.writtenLedger();
  const seals = periodicSeals({
    ledger: observedLedger(ledger, telemetry),
    tools: sealTools({ config, sources, principal: 'system' }),
    pace: { events: config.sealEvents, minutes: config.sealMinutes },
    log,
  });
  const commands = createCommands({
    ledger: seals.ledger,
    vault: await engines.vault(),
    sources,
    principal,
    log,
    recipe: recipeId,
    checkWeights: checkOwnWeights,
    bankLifeFreshFor,
    matching: queries.matching,
    async isOfAnotherBank(memoryId, { bank }) {
      try {
        const views = await engines.views('query');
        return await ofAnotherBank(views.reader(), views, () => ledger.head())(bank, memoryId);
      } catch (error) {
        if (!isHindsightError(error)) throw error;
        // It would only have said where else the memory is.
        return false;
      }
    },
    erasing: erasingViews(engines, () => ledger.head()),
    sign: certificateSigner(config),
    questionDays: config.questionDays,
  });
  return {
    ...commands,
    async close() {
      await commands.close();
      await seals.close();
    },
  };
}

/** Questions over the views, which others project: they are waited for. */
export async function queriesOver(
  parts: Parts,
  record: Pick<CommandPort, 'recordRecall' | 'recordAudit'>,
  projection: (bank: string) => Promise<ProjectionState>,
): Promise<QueryPort> {
  const { engines, config, sources, log } = parts;
  const ledger = await engines.ledger();
  const hot = await engines.hot();
  let opened: Views | undefined;
  /** Every question looks at the stamp first: from then on there is a reader. */
  const views = async () => {
    opened = await engines.views('query');
    return opened;
  };
  return createQueries({
    ledger,
    vault: await engines.vault(),
    sources,
    reader(stamp) {
      const reader = opened!.reader();
      const isMemoryOfAnotherBank = ofAnotherBank(reader, opened!, () => ledger.head());
      return { ...(hot?.reader(reader, stamp) ?? reader), isMemoryOfAnotherBank };
    },
    wasErased: (row, error) => erasedLater(ledger)({ ...row, revision: -1 }, error),
    viewsStamp: async () => (await views()).stamp(),
    catchUp: awaitViews({
      heads: engines.heads,
      stamp: async () => (await views()).stamp(),
      passed: async (bank) => viewsPassed(await views(), bank),
      head: () => ledger.head(),
    }),
    answers: hot?.answers ?? keptAnswers(),
    embedder: engines.embedder('query'),
    enrichment: enrichmentSettings(config),
    meters: parts.telemetry?.meters,
    projection,
    recallMode: config.recallRecord,
    recordRecall: (...recall) => record.recordRecall(...recall),
    recordAudit: (...read) => record.recordAudit(...read),
    storeSizes: async () => ({}),
    onRecordingFailed(error) {
      const why = isHindsightError(error) ? error.code : (error as Error).name;
      log.warn({ why }, 'What a recall was answered with could not be put on record.');
    },
  });
}
