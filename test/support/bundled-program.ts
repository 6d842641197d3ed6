import { mkdir } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { projectRoot } from './project-root.js';

const built = join(projectRoot, 'dist', 'build');

/**
 * Makes a TypeScript file of this repository something that `fork` can run, without a build before: for tests that need
 * real processes. No decorators, so nothing of Nest.
 * @param entry the file's URL
 */
export async function bundledProgram(entry: URL): Promise<string> {
  const named = fileURLToPath(entry);
  // Who asks may run compiled: what is beside it is not, unless something imports it.
  const source = named.startsWith(built) ? join(projectRoot, relative(built, named)) : named;
  // Inside node_modules, so that packages are found from there.
  const folder = join(projectRoot, 'node_modules/.cache/hindsight-ledger-tests');
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
