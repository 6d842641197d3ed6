// Installs the packages when they are missing or older than the lock file. Node's built-ins only: it runs before them.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Says what is needed and ends when this Node is too old. */
export function requireNode() {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [, ...needed] = /(\d+)\.(\d+)/.exec(engines.node).map(Number);
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > needed[0] || (major === needed[0] && minor >= needed[1])) return;
  console.error(
    `Hindsight Ledger needs Node ${needed.join('.')} or newer; this is ${process.version}. Get it from https://nodejs.org.`,
  );
  process.exit(3);
}

/** @returns whether anything was installed */
export function ensureInstalled() {
  requireNode();
  const installed = join(root, 'node_modules', '.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs)
    return false;
  const started = Date.now();
  process.stderr.write('Installing packages (npm ci) … ');
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    encoding: 'utf8',
    // npm is a command file on Windows.
    shell: process.platform === 'win32',
  });
  if (npm.status !== 0) {
    process.stderr.write(`failed.\n${npm.error?.message ?? ''}${npm.stdout ?? ''}${npm.stderr ?? ''}\n`);
    process.exit(3);
  }
  process.stderr.write(`${((Date.now() - started) / 1000).toFixed(0)} s\n`);
  return true;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) ensureInstalled();
