import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 } from 'uuid';
import type { Caller } from '#contract/caller.js';
import type { Sources } from '#contract/sources.js';
import type { AnyEvent } from '#events/catalogue.js';
import type { Envelope } from '#events/envelope.js';
import type { Ledger } from '#ledger/ledger.js';
import { openSqliteLedger } from '#ledger/sqlite/sqlite-ledger.js';
import { openEvent } from '#sealing/open-event.js';
import { openFileVault } from '#sealing/sqlite/open-file-vault.js';
import { type CommandDeps, type Commands, createCommands } from '../create-commands.js';

export interface IngestProcess {
  readonly ledger: Ledger;
  readonly commands: Commands;
  readonly caller: Caller;
  /** All events, oldest first, opened. */
  events(): Promise<{ envelope: Envelope; event: AnyEvent }[]>;
}

export interface IngestHome {
  /** Opens the home as another process would: with connections, caches and commands of its own. */
  process(change?: Partial<CommandDeps> & { wrap?: (ledger: Ledger) => Ledger }): Promise<IngestProcess>;
  remove(): Promise<void>;
}

export const sources: Sources = {
  now: Date.now,
  uuid: () => v7(),
  random: (bytes) => randomBytes(bytes),
};

/** A home in a temporary folder, for specs. */
export async function ingestHome(): Promise<IngestHome> {
  const folder = await mkdtemp(join(tmpdir(), 'hl-ingest-'));
  const closing: (() => Promise<void>)[] = [];
  return {
    async process({ wrap, ...change } = {}) {
      const ledger = await openSqliteLedger(join(folder, 'ledger.db'));
      const vault = await openFileVault(
        { keysDb: join(folder, 'keys.db'), masterKeyFile: join(folder, 'master.key') },
        sources,
        { ledgerHasEvents: (await ledger.head()) !== undefined },
      );
      const seen = wrap ? wrap(ledger) : ledger;
      const commands = createCommands({
        ledger: seen,
        vault,
        sources,
        recipe: 'r1',
        matching: async () => [],
        isOfAnotherBank: async () => false,
        ...change,
      });
      closing.push(async () => {
        await commands.close();
        await vault.close();
        await ledger.close();
      });
      const bank = await commands.bankNamed('default');
      const caller: Caller = {
        bank,
        principal: 'os:ada',
        roles: ['reader', 'writer'],
        agent: 'spec',
        tool: 'memory_write',
      };
      return {
        ledger,
        commands,
        caller,
        async events() {
          const all = [];
          for await (const stored of ledger.readAll()) all.push(await openEvent(vault, stored.bytes));
          return all;
        },
      };
    },
    async remove() {
      for (const close of closing.splice(0).reverse()) await close();
      await rm(folder, { recursive: true });
    },
  };
}
