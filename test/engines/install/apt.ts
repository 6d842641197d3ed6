import { existsSync, readdirSync } from 'node:fs';
import { EngineMissing } from './engine-missing.js';
import { run } from './run.js';

const nonInteractive = { DEBIAN_FRONTEND: 'noninteractive' };
const waitForOthers = '-oDPkg::Lock::Timeout=300'; // s
const quick = '-oDpkg::Options::=--force-unsafe-io'; // Does not wait for the disk after each file.

/**
 * Debian packages are installed as root only, never by asking for a password.
 * @throws EngineMissing where that cannot be
 */
export function requireApt(): void {
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) return;
  throw new EngineMissing('packages are installed only as root, and where apt-get is');
}

let lists: Promise<string> | undefined;

/** The lists of packages, refreshed once per process: a new machine has none, and an old one names versions that are gone. */
function refreshedLists(): Promise<string> {
  lists ??= run('apt-get', [waitForOthers, 'update', '-q']);
  return lists;
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Installs Debian packages; one call at a time, for dpkg takes no two.
 * @throws EngineMissing where that cannot be
 */
export async function aptInstall(...packages: readonly string[]): Promise<void> {
  requireApt();
  await refreshedLists();
  const mine = last.then(() =>
    run('apt-get', [waitForOthers, quick, 'install', '-y', '-q', '--no-install-recommends', ...packages], {
      env: nonInteractive,
    }),
  );
  last = mine.catch(() => {});
  await mine;
}

/** Unpacks a package's files below a folder, without what it depends on. */
export async function aptUnpack(name: string, folder: string): Promise<void> {
  await refreshedLists();
  await run('apt-get', ['download', '-q', name], { folder });
  const archive = readdirSync(folder).find((file) => file.startsWith(`${name}_`));
  if (!archive) throw new Error(`apt-get download brought no package ${name}.`);
  await run('dpkg', ['-x', archive, '.'], { folder });
}

/** The package that a metapackage such as `postgresql` stands for here, for example `postgresql-15`. */
export async function packageBehind(metapackage: string): Promise<string> {
  await refreshedLists();
  const depends = await run('apt-cache', ['depends', '--no-recommends', metapackage]);
  const found = new RegExp(`Depends: (${metapackage}-\\d+)`).exec(depends)?.[1];
  if (!found) throw new Error(`apt-cache knows no package behind ${metapackage}.`);
  return found;
}
