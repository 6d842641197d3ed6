import { createPrivateKey, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { link, open, readFile, unlink } from 'node:fs/promises';
import { HindsightError } from '#contract/errors.js';

/**
 * The Ed25519 private key at `path` (PKCS#8, PEM); undefined where there is no such file.
 * @throws HindsightError invalid_config when the file holds something else, or cannot be read
 */
export async function readSigningKey(path: string): Promise<KeyObject | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw noSigningKey(path, (cause as Error).message, cause);
  }
  let key: KeyObject;
  try {
    key = createPrivateKey(text);
  } catch (cause) {
    throw noSigningKey(path, 'it is no private key in PEM', cause);
  }
  if (key.asymmetricKeyType !== 'ed25519')
    throw noSigningKey(path, `it is a key of another kind, ${key.asymmetricKeyType}`);
  return key;
}

/**
 * The key at `path`, made for its owner alone (0600) where there is none. It appears whole or not at all, and once: written beside its
 * place, flushed, then linked there, which fails when another process was faster.
 * @throws HindsightError not_writable · invalid_config
 */
export async function makeSigningKey(path: string): Promise<KeyObject> {
  const there = await readSigningKey(path);
  if (there) return there;
  const beside = `${path}.creating-${randomUUID()}`;
  const { privateKey } = generateKeyPairSync('ed25519');
  try {
    const file = await open(beside, 'wx', 0o600);
    try {
      await file.writeFile(privateKey.export({ format: 'pem', type: 'pkcs8' }));
      await file.sync();
    } finally {
      await file.close();
    }
    await link(beside, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } catch (cause) {
    const why = (cause as Error).message;
    throw new HindsightError('not_writable', `${path} cannot be written: ${why}.`, { file: path }, { cause });
  } finally {
    await unlink(beside).catch(() => undefined);
  }
  return (await readSigningKey(path)) ?? privateKey;
}

function noSigningKey(path: string, why: string, cause?: unknown): HindsightError {
  return new HindsightError(
    'invalid_config',
    `${path} cannot sign seals: ${why}. Accepted: an Ed25519 private key, as \`hindsight-ledger seal --sign\` makes it.`,
    { file: path },
    { cause },
  );
}
