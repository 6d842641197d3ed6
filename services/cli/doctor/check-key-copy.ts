import type { KeyStore } from '#sealing/key-store.js';
import { type Looked, warning, well } from './finding.js';

/** Whether the last copy of the wrapped keys still opens; nothing where none was ever made. */
export async function checkKeyCopy(keyStore: Pick<KeyStore, 'epoch' | 'lastBundle'>): Promise<Looked[]> {
  const last = await keyStore.lastBundle();
  const stored = await keyStore.epoch();
  if (!last || !stored) return [];
  if (last.epoch === stored.epoch) return [well('backup', `keys copied ${last.made} to ${last.place}`)];
  return [
    warning(
      'backup',
      `the last copy of the keys (${last.place}, ${last.made}) is older than the last erasure or rotation: the master key of today does not open it`,
      'Run: hindsight-ledger backup create. Set HINDSIGHT_LEDGER_KEY_BACKUP to have the keys copied anew each time. Let go of the older copies.',
    ),
  ];
}
