// npm run build: TypeScript to dist/build, then the bundle that is published to dist/bundle. --no-check leaves types to `npm run check`.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bundle } from './bundle.mjs';

const root = resolve(import.meta.dirname, '..');

await oneAtATime();
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

/** Of several builds of one tree each would remove what the other has just made. */
async function oneAtATime() {
  const lock = join(root, 'dist', 'building');
  mkdirSync(join(root, 'dist'), { recursive: true });
  for (let waited = 0; ; waited++) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      process.on('exit', () => rmSync(lock, { force: true }));
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (waited === 0) console.log('another build of this tree is under way: waiting for it');
    if (!isRunning(lock)) rmSync(lock, { force: true });
    await sleep(250);
  }
}

function isRunning(lock) {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')) || process.pid, 0);
    return true;
  } catch {
    return false;
  }
}
