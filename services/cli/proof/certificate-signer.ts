import { createPublicKey, sign, verify } from 'node:crypto';
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
      signature: sign(null, signedBytes(text), key).toString('base64url'),
      publicKey: rawPublicKey(createPublicKey(key)),
    };
  };
}

/** Whether a certificate was signed with the key of this public key; false where one of both is not given. */
export function isCertificateSignedBy(
  text: string,
  { signature, publicKey }: { readonly signature: string | undefined; readonly publicKey: string | undefined },
): boolean {
  if (signature === undefined || publicKey === undefined) return false;
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
    return verify(null, signedBytes(text), key, Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
}

function signedBytes(text: string): Buffer {
  return Buffer.from(domain + text, 'utf8');
}
