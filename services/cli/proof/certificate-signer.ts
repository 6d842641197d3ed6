import { createPublicKey, sign } from 'node:crypto';
import { homePaths } from '#config/home.js';
import type { Config } from '#config/settings.js';
import type { Sign } from '#ingest/erase/erasing-deps.js';
import { rawPublicKey } from '#proof/root.js';
import { readSigningKey } from './signing-key-file.js';

/** The domain tag keeps the signature of a certificate from being that of anything else. */
const domain = 'hindsight-ledger/erasure\0\x01';

/** Signs certificates of erasures while there is a signing.key in the home: looked for at each. */
export function certificateSigner({ home }: Pick<Config, 'home'>): Sign {
  const path = homePaths(home).signingKey;
  return async (text) => {
    const key = await readSigningKey(path);
    if (!key) return undefined;
    return {
      signature: sign(null, Buffer.from(domain + text, 'utf8'), key).toString('base64url'),
      publicKey: rawPublicKey(createPublicKey(key)),
    };
  };
}
