import { accessSync, constants, statfsSync, statSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { HomePaths } from '#config/home.js';
import type { LoadedConfig } from '#config/load-config.js';
import { size } from '#query/mcp/render/shown.js';
import { type Looked, warning, well, wrong } from './finding.js';

/** Below this much free space a warning, in bytes: a ledger of 100,000 memories takes about this much with its views. */
const littleSpace = 500_000_000;
/** Below this, writes may fail any moment: SQLite's own journal may grow by tens of megabytes. */
const tooLittleSpace = 50_000_000;

export function checkNode(version = process.versions.node): Looked {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return well('node', `Node ${version}`);
  return wrong('node', `Node ${version} is too old.`, 'Install Node 20.19 or newer.');
}

export function checkSettings({ warnings }: LoadedConfig): Looked[] {
  if (warnings.length === 0) return [well('settings', 'every setting that is given is known')];
  return warnings.map((says) => warning('settings', says, 'Correct its name, or take it out.'));
}

/** The folder: there, a folder, writable, and nobody else's to read. */
export function checkHome({ root }: HomePaths): Looked {
  const found = statSync(root, { throwIfNoEntry: false });
  if (!found) return warning('home', `${root} is not there yet.`, 'It is made with the first write.');
  if (!found.isDirectory()) return wrong('home', `${root} is no folder.`, 'Choose another with --home.');
  try {
    accessSync(root, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return wrong('home', `${root} cannot be written: memories can only be read.`, 'Make it writable for this user.');
  }
  const mode = found.mode & 0o777;
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    return wrong(
      'home',
      `${root} is open to other users of this machine (mode ${mode.toString(8)}).`,
      `Run: chmod 700 ${root}`,
      async () => {
        await chmod(root, 0o700);
        return `${root} is now open to its owner alone.`;
      },
    );
  return well('home', root);
}

export function checkSpace({ root }: HomePaths): Looked {
  let folder = root;
  while (!statSync(folder, { throwIfNoEntry: false }) && dirname(folder) !== folder) folder = dirname(folder);
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const mend = 'Free space on that disk; nothing acknowledged is lost meanwhile.';
  if (free < tooLittleSpace) return wrong('space', `${size(free)} free at ${folder}: writes are about to fail.`, mend);
  if (free < littleSpace) return warning('space', `${size(free)} free at ${folder}.`, mend);
  return well('space', `${size(free)} free`);
}
