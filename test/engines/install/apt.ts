import { existsSync } from 'node:fs';
import { run } from './run.js';

const nonInteractive = { DEBIAN_FRONTEND: 'noninteractive' };
const waitForOthers = '-oDPkg::Lock::Timeout=300'; // s

/** Whether Debian packages may be installed here: as root only, never by asking for a password. */
export function mayInstall(): boolean {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

let lists: Promise<string> | undefined;

/** The lists of packages, refreshed once per process: a new machine has none, and an old one names versions that are gone. */
function refreshedLists(): Promise<string> {
  lists ??= run('apt-get', [waitForOthers, 'update', '-q']);
  return lists;
}

let last: Promise<unknown> = Promise.resolve();

/** Installs Debian packages; one call at a time, for dpkg takes no two. */
export async function aptInstall(...packages: readonly string[]): Promise<void> {
  await refreshedLists();
  const mine = last.then(() =>
    run('apt-get', [waitForOthers, 'install', '-y', '-q', '--no-install-recommends', ...packages], {
      env: nonInteractive,
    }),
  );
  last = mine.catch(() => {});
  await mine;
}

/** The package that a metapackage such as `postgresql` stands for here, for example `postgresql-15`. */
export async function packageBehind(metapackage: string): Promise<string> {
  await refreshedLists();
  const depends = await run('apt-cache', ['depends', '--no-recommends', metapackage]);
  const found = new RegExp(`Depends: (${metapackage}-\\d+)`).exec(depends)?.[1];
  if (!found) throw new Error(`apt-cache knows no package behind ${metapackage}.`);
  return found;
}
