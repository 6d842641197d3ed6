// npm run build: TypeScript to dist/build, then the bundle that is published to dist/bundle. --no-check leaves types to `npm run check`.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bundle } from './bundle.mjs';

const root = resolve(import.meta.dirname, '..');

const unchecked = process.argv.includes('--no-check') ? ['--noCheck'] : [];
rmSync(join(root, 'dist', 'build'), { recursive: true, force: true });
const tsc = spawnSync(
  process.execPath,
  [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.build.json', ...unchecked],
  { cwd: root, stdio: 'inherit' },
);
if (tsc.status !== 0) process.exit(1);

const { outputs } = await bundle();
const bytes = Object.values(outputs).reduce((sum, output) => sum + output.bytes, 0);
console.log(`dist/bundle: ${Object.keys(outputs).length} files, ${(bytes / 1e6).toFixed(1)} MB`);
