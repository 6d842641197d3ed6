import { loadConfig } from '#config/load-config.js';
import { decodeBasis } from '#contract/basis.js';
import { roles } from '#contract/caller.js';
import type { Ledger, Position } from '#ledger/ledger.js';
import { remoteCommands } from '#query/remote-commands/remote-commands.js';
import { type Stack, startStack } from '#test/stack/start-stack.js';
import { partitionOf } from '#views/partition.js';
import { openEngines } from '../../services/cli/distributed/engines.js';
import { plainLog } from '../../services/cli/embedded/plain-log.js';
import { systemSources } from '../../services/cli/embedded/system-sources.js';
import { connectHttp } from './http-client.js';

/** Writes one memory of one bank; answers with where it stands. */
export type Write = (content: string, bank: number) => Promise<{ readonly partition: number; readonly at: Position }>;

/** The distributed profile as real processes, with ways in. */
export interface RunningStack {
  readonly stack: Stack;
  readonly banks: number;
  /** In this process, to read from. */
  readonly ledger: Ledger;
  /** Through the port between query and ingest. */
  readonly overCommands: Write;
  /** Through MCP over HTTP and the query service: a client, with a session and a token, for each bank. */
  readonly overMcp: Write;
  close(): Promise<void>;
}

const partitions = 8;
const silent = plainLog('silent', () => undefined);

/** What runs, by the command line of a child of this process. */
export function programOf(command: string): string | undefined {
  const role = /serve --role (\w+)/.exec(command)?.[1];
  if (role !== undefined) return role;
  const programs = {
    'event store (test server)': 'event-store-process',
    Kafka: 'kafka.Kafka',
    Redis: 'redis-server',
    PostgreSQL: 'bin/postgres',
  };
  return Object.entries(programs).find(([, part]) => command.includes(part))?.[0];
}

/** Engines are running (with-engines.ts). @param banks spread over the partitions as their ids fall */
export async function runningStack(banks = 16): Promise<RunningStack> {
  const stack = await startStack({ partitions });
  const closing: (() => Promise<void> | void)[] = [() => stack.close()];
  const close = async () => {
    for (const end of closing.splice(0).reverse()) await end();
  };
  try {
    await stack.ready();
    const { config } = loadConfig({ env: { ...stack.env } });
    const engines = openEngines({ config, log: silent, sources: systemSources, makesKeys: false });
    closing.push(() => engines.close());
    const [ledger, vault, tokens] = [await engines.ledger(), await engines.vault(), await engines.tokens()];
    const serviceKey = () => vault.serviceKey();
    const commands = remoteCommands({ addresses: config.ingestUrl, serviceKey, sources: systemSources, log: silent });
    closing.push(() => commands.close());
    const ids: string[] = [];
    for (let bank = 0; bank < banks; bank++) ids.push(await commands.bankNamed(`bench ${bank}`));
    const places = ids.map((bank) => ({ bank, partition: partitionOf(bank, partitions) }));
    const stands = (bank: number, basis: unknown) => {
      const { position } = decodeBasis(String(basis), { ledger: ledger.id, bank: places[bank]!.bank });
      return { partition: places[bank]!.partition, at: position! };
    };
    const [query] = stack.of('query');
    const clients = await Promise.all(
      ids.map(async (bank, index) => {
        const { token } = await tokens.create({ name: `bench-${index}`, bank, roles: ['reader', 'writer'] });
        return connectHttp(query!.url, token);
      }),
    );
    closing.push(() => {
      for (const client of clients) client.close();
    });
    return {
      stack,
      banks,
      ledger,
      async overCommands(content, bank) {
        const caller = { bank: places[bank]!.bank, principal: 'os:bench', roles, agent: 'bench', tool: 'memory_write' };
        const { basis } = await commands.write({ content }, caller);
        return stands(bank, basis);
      },
      async overMcp(content, bank) {
        const { basis } = await clients[bank]!.call('memory_write', { content });
        return stands(bank, basis);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
