import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Makes a TypeScript file of this repository something that `fork` can run, without a build before: for tests that need
 * real processes. No decorators, so nothing of Nest.
 * @param entry the file's URL
 */
export async function bundledProgram(entry: URL): Promise<string> {
  const source = fileURLToPath(entry);
  // Inside node_modules, so that packages are found from there.
  const folder = join(root, 'node_modules/.cache/hindsight-ledger-tests');
  await mkdir(folder, { recursive: true });
  const outfile = join(folder, `${basename(source, '.ts')}-${process.pid}.mjs`);
  await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    conditions: ['hl-source'],
    logLevel: 'error',
  });
  return outfile;
}
