import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '#config/load-config.js';
import { type Embedded, openEmbedded } from '../../services/cli/embedded/open-embedded.js';
import { plainLog } from '../../services/cli/embedded/plain-log.js';
import { sentences } from './sentences.js';

/** A ledger in a file, written through the commands and projected by nobody but the bench. */
export interface ManyBanksHome {
  readonly embedded: Embedded;
  /** Single memories, new ones, the banks taking turns. */
  fill(memories: number): Promise<void>;
  remove(): Promise<void>;
}

/** Items of one command. */
const batch = 500;

export async function manyBanksHome(banks: number): Promise<ManyBanksHome> {
  const home = mkdtempSync(join(tmpdir(), 'hl-bench-'));
  const { config } = loadConfig({ flags: { home }, env: {} });
  const embedded = await openEmbedded({ config, log: plainLog('silent', () => undefined) });
  const { commands, caller } = embedded;
  const ids: string[] = [];
  for (let bank = 0; bank < banks; bank++) ids.push(await commands.bankNamed(`bench ${bank}`));
  const text = sentences(7);
  return {
    embedded,
    async fill(memories) {
      for (let written = 0; written < memories; written += batch * banks) {
        const left = memories - written;
        await Promise.all(
          ids.map((bank, index) => {
            const most = Math.min(batch, Math.floor(left / banks) + (index < left % banks ? 1 : 0));
            if (most === 0) return undefined;
            const items = Array.from({ length: most }, () => ({ content: text.next() }));
            return commands.write({ items }, { ...caller('bench'), bank });
          }),
        );
      }
    },
    async remove() {
      await embedded.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
