import { setTimeout as sleep } from 'node:timers/promises';
import { localPrincipal } from '#access/local-principal.js';
import { requireSettings } from '#config/require-settings.js';
import { roles } from '#contract/caller.js';
import { isHindsightError } from '#contract/errors.js';
import { createWaitingProjector } from '#projector/fed/create-waiting-projector.js';
import { bankNames } from '../embedded/bank-names.js';
import { noSuchBank } from '../embedded/no-such-bank.js';
import { systemSources } from '../embedded/system-sources.js';
import type { Opened, OpenOptions } from '../opened.js';
import { commandsOver, queriesOver } from './create-ports.js';
import { openEngines } from './engines.js';
import { projectionState } from './projection-state.js';

/** Milliseconds that a process which is there for one question waits for Redis. */
const hotWithinMs = 300;

/**
 * The distributed profile in one process, for verbs and the server over stdio: commands and questions over the same engines as the services,
 * which go on projecting.
 * @throws HindsightError invalid_config · unreachable · keys_unreachable · views_missing · a bank that is not there
 */
export async function openDistributed(options: OpenOptions): Promise<Opened> {
  const { config, log, sources = systemSources, missingBank, writesViews = false } = options;
  requireSettings(config, ['eventstoreUrl', 'keysUrl', 'postgresUrl'], 'The distributed profile');
  const engines = openEngines({ config, log, sources, makesKeys: true });
  const parts = { engines, config, sources, log };
  const closing: (() => Promise<void>)[] = [() => engines.close()];
  const close = async () => {
    for (const end of closing.splice(0).reverse()) await end();
  };
  try {
    const ledger = await engines.ledger();
    const vault = await engines.vault();
    const views = await engines.views(writesViews ? 'projector' : 'query');
    const projector = createWaitingProjector({ ledger, vault, views, log, now: sources.now });
    closing.push(() => projector.close());
    await engines.hot();
    for (let waited = 0; !engines.hotIsThere() && waited < hotWithinMs; waited += 10) await sleep(10);
    const queries = await queriesOver(
      parts,
      {
        recordRecall: (...recall) => commands.recordRecall(...recall),
        recordAudit: (...read) => commands.recordAudit(...read),
      },
      (asking) => projectionState(ledger, views, asking),
    );
    const principal = localPrincipal();
    const commands = await commandsOver(parts, queries, principal);
    closing.push(() => commands.close());
    const bank = await commands.bankNamed(config.bank, missingBank).catch(async (error: unknown) => {
      if (!isHindsightError(error, 'bank_not_found')) throw error;
      throw noSuchBank(config.bank, await bankNames({ ledger, vault, views, projector }).all());
    });
    return {
      config,
      log,
      bank,
      sources,
      ledger,
      vault,
      views,
      projector,
      embedder: engines.embedder('query'),
      commands,
      queries,
      caller: (tool) => ({ bank, principal, roles, agent: 'hindsight-ledger', tool }),
      tokens: () => engines.tokens(),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
