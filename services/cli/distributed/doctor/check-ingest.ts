import { isHindsightError } from '#contract/errors.js';
import { remoteCommands } from '#query/remote-commands/remote-commands.js';
import type { Vault } from '#sealing/vault.js';
import { type Looked, warning, well } from '../../doctor/finding.js';
import type { Log } from '../../embedded/plain-log.js';
import { systemSources } from '../../embedded/system-sources.js';

/** The ingest services that query services of these settings would call; where doctor runs, they may well be out of reach. */
export async function checkIngest(addresses: readonly string[], vault: Vault, log: Log): Promise<Looked[]> {
  return Promise.all(
    addresses.map(async (address) => {
      const commands = remoteCommands({
        addresses: [address],
        serviceKey: () => vault.serviceKey(),
        sources: systemSources,
        log,
      });
      try {
        await commands.ping();
        return well('ingest', `${address} takes commands`);
      } catch (error) {
        if (!isHindsightError(error)) throw error;
        return warning('ingest', error.message, `${error.hint} Writes of query services wait for it.`);
      } finally {
        await commands.close();
      }
    }),
  );
}
