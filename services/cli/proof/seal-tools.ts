import { homePaths } from '#config/home.js';
import type { Config } from '#config/settings.js';
import type { Sources } from '#contract/sources.js';
import type { SealTools } from '#ledger/seal-ledger.js';
import { signerWith } from '#proof/root.js';
import { readSigningKey } from './signing-key-file.js';

interface Parts {
  readonly config: Pick<Config, 'home'>;
  readonly sources: Pick<Sources, 'now' | 'uuid'>;
  readonly principal: string;
}

/** Seals are signed while there is a signing.key in the home: looked for at each seal, since nobody waits for one. */
export function sealTools({ config, sources, principal }: Parts): SealTools {
  const path = homePaths(config.home).signingKey;
  return {
    now: sources.now,
    uuid: sources.uuid,
    principal,
    async signer() {
      const key = await readSigningKey(path);
      return key && signerWith(key);
    },
  };
}
