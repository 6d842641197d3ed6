import type { CommandPort } from '#contract/command-port.js';
import type { QueryPort } from '#contract/query-port.js';
import { notingAnswers } from '#query/freshness/known-heads.js';
import type { Access } from '#query/mcp/http/http-deps.js';
import { remoteCommands } from '#query/remote-commands/remote-commands.js';
import { observedCommands } from '#telemetry/observed-commands.js';
import { bankNames } from '../../embedded/bank-names.js';
import { queriesOver } from '../create-ports.js';
import { projectionState } from '../projection-state.js';
import { untilThere, whyNot } from '../until-there.js';
import type { Role, RoleParts } from './role.js';
import { withoutRedis } from './without-redis.js';

export interface QueryRole extends Role {
  readonly commands: CommandPort;
  readonly queries: QueryPort;
  authenticate(bearer: string): Promise<Access | undefined>;
}

/**
 * Questions in, memories out; commands are passed on.
 * @param own the commands of this process, where it is an ingest service too
 */
export async function startQuery(parts: RoleParts, own?: CommandPort): Promise<QueryRole> {
  const { config, log, sources, engines, waiting } = parts;
  const ledger = await untilThere('the ledger', () => engines.ledger(), waiting);
  const vault = await untilThere('the keys', () => engines.vault(), waiting);
  const tokens = await untilThere('the keys', () => engines.tokens(), waiting);
  const views = await untilThere('the views', () => engines.views('query'), waiting);
  const remote = own
    ? undefined
    : remoteCommands({ addresses: config.ingestUrl, serviceKey: () => vault.serviceKey(), sources, log });
  const commands =
    own ??
    observedCommands(notingAnswers(remote!, engines.heads, ledger.id), {
      tracer: parts.telemetry.tracer,
      kind: 'client',
    });
  const queries = await queriesOver(
    parts,
    {
      recordRecall: (...recall) => commands.recordRecall(...recall),
      recordAudit: (...read) => commands.recordAudit(...read),
    },
    (asking) => projectionState(ledger, views, asking),
  );
  const names = bankNames({ ledger, vault, views, projector: { catchUp: async () => undefined } });
  return {
    commands,
    queries,
    async authenticate(bearer) {
      const found = await tokens.authenticate(bearer);
      return found && { ...found, bankName: (await names.of(found.bank)) ?? found.bank };
    },
    missing: async () => [
      ...(await whyNot('the views', () => views.stamp())),
      ...(await whyNot('the keys', () => vault.knownBankKeys('readiness'))),
      ...(remote ? await whyNot('ingest', () => remote.ping(), 5_000) : []),
    ],
    // Answers come from the views; figures and what was written elsewhere need the rest.
    without: async () => [...(await whyNot('the ledger', () => ledger.head())), ...withoutRedis(engines)],
    async close() {
      await remote?.close();
    },
  };
}
