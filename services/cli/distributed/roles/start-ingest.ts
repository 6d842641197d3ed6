import type { Commands } from '#ingest/create-commands.js';
import { type CommandListener, startCommandServer } from '#ingest/transport/start-command-server.js';
import { observedCommands } from '#telemetry/observed-commands.js';
import { commandsOver, queriesOver } from '../create-ports.js';
import { untilThere, whyNot } from '../until-there.js';
import type { Role, RoleParts } from './role.js';
import { withoutRedis } from './without-redis.js';

export interface IngestRole extends Role {
  readonly commands: Commands;
  readonly listener: CommandListener;
}

/** Commands in, events out, for query services. It needs the ledger and the keys; the views only for a few questions. */
export async function startIngest(parts: RoleParts): Promise<IngestRole> {
  const { config, log, engines, waiting } = parts;
  const ledger = await untilThere('the ledger', () => engines.ledger(), waiting);
  const vault = await untilThere('the keys', () => engines.vault(), waiting);
  await untilThere('the keys', () => vault.serviceKey(), waiting);
  const queries = await queriesOver(
    parts,
    { recordRecall: async () => undefined, recordAudit: async () => undefined },
    async () => ({ lagEvents: 0, setAside: 0, generation: 0 }),
  );
  const commands = observedCommands(await commandsOver(parts, queries), { ...parts.telemetry, kind: 'server' });
  const listener = await startCommandServer({
    commands,
    serviceKey: () => vault.serviceKey(),
    host: config.ingestHost,
    port: config.ingestPort,
    log,
  });
  commands.watchErasures();
  log.info({ host: listener.host, port: listener.port }, 'ingest takes commands');
  return {
    commands,
    listener,
    missing: async () => [
      ...(await whyNot('the ledger', () => ledger.head())),
      // Looked up each time: it is no key, so nothing of it is cached.
      ...(await whyNot('the keys', () => vault.knownBankKeys('readiness'))),
    ],
    without: async () => withoutRedis(engines),
    async close() {
      await listener.close();
      await commands.close();
    },
  };
}
