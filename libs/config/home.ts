import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { HindsightError } from '#contract/errors.js';

/** The files of a home. */
export interface HomePaths {
  readonly root: string;
  /** The events: append-only. */
  readonly ledger: string;
  /** Wrapped content keys, and the hashes of access tokens. */
  readonly keys: string;
  readonly masterKey: string;
  /** Ed25519: while it is there, seals are signed with it. */
  readonly signingKey: string;
  /** Read models; may be deleted at any time. */
  readonly views: string;
  /** Vectors by what they were made of; may be deleted at any time, and costs the time to make them anew. */
  readonly cache: string;
  readonly config: string;
}

export function homePaths(root: string): HomePaths {
  return {
    root,
    ledger: join(root, 'ledger.db'),
    keys: join(root, 'keys.db'),
    masterKey: join(root, 'master.key'),
    signingKey: join(root, 'signing.key'),
    views: join(root, 'views.db'),
    cache: join(root, 'cache.db'),
    config: join(root, 'config.json'),
  };
}

/** The platform's data folder for this product: $XDG_DATA_HOME wins everywhere, since who sets it means it. */
export function defaultHome(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
  user: string = homedir(),
): string {
  const name = 'hindsight-ledger';
  if (env.XDG_DATA_HOME) return join(env.XDG_DATA_HOME, name);
  if (platform === 'darwin') return join(user, 'Library', 'Application Support', name);
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(user, 'AppData', 'Local'), name);
  return join(user, '.local', 'share', name);
}

/**
 * Makes the home when it is not there, for its owner alone (0700).
 * @throws HindsightError not_writable · invalid_config when something else than a folder is in the way
 */
export function prepareHome(root: string): HomePaths {
  try {
    const found = statSync(root, { throwIfNoEntry: false });
    if (found?.isDirectory()) return homePaths(root);
    if (found) throw new HindsightError('invalid_config', `home is ${root}, which is no folder.`);
    mkdirSync(root, { recursive: true, mode: 0o700 });
    // The mode of mkdir passes through the umask, which may have taken more away than others' rights.
    chmodSync(root, 0o700);
    return homePaths(root);
  } catch (cause) {
    if (cause instanceof HindsightError) throw cause;
    const why = (cause as Error).message;
    throw new HindsightError('not_writable', `The home ${root} cannot be made: ${why}.`, { home: root }, { cause });
  }
}
