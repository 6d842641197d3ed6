import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { aptInstall, aptUnpack, packageBehind, requireApt } from '../install/apt.js';
import { run } from '../install/run.js';
import { hasPgvector, installedPostgres } from './postgres-program.js';

const sourceList = '/etc/apt/sources.list.d/debian.sources';
const newerDebian = 'trixie'; // Has pgvector 0.8; Debian 12's own is 0.4, without iterative scans.

/** PostgreSQL from Debian's packages, and pgvector built from the source package of a newer Debian. As root. */
export async function installPostgres(): Promise<void> {
  if (installedPostgres().some(hasPgvector)) return;
  requireApt();
  const work = mkdtempSync(join(tmpdir(), 'hindsight-ledger-pgvector-'));
  try {
    const [source, headers] = await Promise.all([pgvectorSource(work), installServer(work)]);
    const [server] = installedPostgres();
    if (!server) throw new Error('The packages of PostgreSQL were installed, but its server is nowhere.');
    const make = [
      'OPTFLAGS=', // Portable code, for an image of this machine may run on an older processor.
      'with_llvm=no',
      `PG_CONFIG=${join(server.binaries, 'pg_config')}`,
      `PG_CPPFLAGS=-I${join(headers, server.major, 'server')}`,
    ];
    await run('make', [`-j${availableParallelism()}`, ...make], { folder: source });
    await run('make', ['install', ...make], { folder: source });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * The package of headers is unpacked, not installed: it would bring a second compiler, of which nothing is used here.
 * @returns the folder with the headers of each version
 */
async function installServer(work: string): Promise<string> {
  const [installed] = installedPostgres();
  const server = installed ? `postgresql-${installed.major}` : await packageBehind('postgresql');
  await aptInstall(server, 'gcc', 'libc6-dev', 'make', 'procps');
  await aptUnpack(server.replace('postgresql-', 'postgresql-server-dev-'), work);
  return join(work, 'usr/include/postgresql');
}

/** Asks the mirror that this machine already uses, with a list of packages of its own. @returns the unpacked folder */
export async function pgvectorSource(work: string): Promise<string> {
  const mirror = existsSync(sourceList) ? /^URIs:\s*(\S+)/m.exec(readFileSync(sourceList, 'utf8'))?.[1] : undefined;
  if (!mirror) throw new Error(`pgvector is built from Debian's source package, but ${sourceList} names no mirror.`);
  mkdirSync(join(work, 'lists/partial'), { recursive: true });
  const sources = join(work, 'pgvector.sources');
  writeFileSync(
    sources,
    `Types: deb-src\nURIs: ${mirror}\nSuites: ${newerDebian}\nComponents: main\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\n`,
  );
  const apart = [
    `-oDir::Etc::sourcelist=${sources}`,
    '-oDir::Etc::sourceparts=/dev/null',
    `-oDir::State::Lists=${join(work, 'lists')}`,
  ];
  await run('apt-get', [...apart, 'update', '-q']);
  await run('apt-get', [...apart, 'source', '-q', '--download-only', 'pgvector'], { folder: work });
  const archive = readdirSync(work).find((name) => name.endsWith('.orig.tar.gz'));
  if (!archive) throw new Error("Debian's source package of pgvector holds no .orig.tar.gz.");
  await run('tar', ['xzf', archive], { folder: work });
  const folder = readdirSync(work).find((name) => /^pgvector-\d/.test(name));
  if (!folder) throw new Error(`${archive} holds no folder pgvector-….`);
  return join(work, folder);
}
