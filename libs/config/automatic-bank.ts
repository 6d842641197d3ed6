import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';

/** How a bank came to its name, for `config` to show. */
export interface AutomaticBank {
  readonly bank: string;
  readonly because: string;
}

/**
 * The bank of the repository that a folder belongs to: its git remote (origin, else the first), so that all clones and
 * worktrees share one; without a remote the repository's own folder; `default` outside of a repository. Reads git's files
 * itself: git need not be installed, and its ownership checks do not get in the way.
 */
export function automaticBank(folder: string): AutomaticBank {
  const repository = repositoryOf(folder);
  if (!repository) return { bank: 'default', because: 'this folder is in no git repository' };
  const remote = remoteOf(read(join(repository.gitDir, 'config')) ?? '');
  if (remote) return { bank: canonicalRemote(remote, repository.root), because: 'the git remote of this folder' };
  return { bank: repository.root, because: 'the root of this repository, which has no remote' };
}

function repositoryOf(folder: string): { root: string; gitDir: string } | undefined {
  for (let at = real(folder); ; at = dirname(at)) {
    const dotGit = join(at, '.git');
    const found = statSync(dotGit, { throwIfNoEntry: false });
    if (found?.isDirectory()) return { root: at, gitDir: dotGit };
    if (found?.isFile()) return linked(at, read(dotGit) ?? '');
    if (dirname(at) === at) return undefined;
  }
}

/** A worktree or a submodule: `.git` is a file that names the real folder, which for a worktree names the common one. */
function linked(at: string, dotGit: string): { root: string; gitDir: string } | undefined {
  const named = /^gitdir:\s*(.+?)\s*$/m.exec(dotGit)?.[1];
  if (!named) return undefined;
  const gitDir = resolve(at, named);
  const common = read(join(gitDir, 'commondir'))?.trim();
  if (!common) return { root: at, gitDir };
  const shared = real(resolve(gitDir, common));
  return { root: basename(shared) === '.git' ? dirname(shared) : shared, gitDir: shared };
}

/** The URL of origin in a git configuration, else of the first remote. */
export function remoteOf(gitConfig: string): string | undefined {
  const urls = new Map<string, string>();
  let remote: string | undefined;
  for (const line of gitConfig.split(/\r?\n/)) {
    const section = /^\s*\[\s*([^\]\s"]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line);
    if (section) remote = section[1]!.toLowerCase() === 'remote' ? section[2] : undefined;
    const url = /^\s*url\s*=\s*(.*?)\s*$/i.exec(line)?.[1];
    if (remote !== undefined && url && !urls.has(remote)) urls.set(remote, url.replace(/^"(.*)"$/, '$1'));
  }
  return urls.get('origin') ?? urls.values().next().value;
}

/** Hosts that do not tell case apart in paths, and the other names under which they answer. */
const hostAliases = new Map([
  ['github.com', 'github.com'],
  ['www.github.com', 'github.com'],
  ['ssh.github.com', 'github.com'],
  ['gitlab.com', 'gitlab.com'],
  ['altssh.gitlab.com', 'gitlab.com'],
  ['bitbucket.org', 'bitbucket.org'],
  ['altssh.bitbucket.org', 'bitbucket.org'],
]);

/**
 * One name for all the ways to write a remote: `host/owner/repository` without scheme, credentials, port and `.git`
 * (the same repository is often cloned by https here and by ssh there, on different ports).
 * @param root what a relative path is relative to
 */
export function canonicalRemote(remote: string, root: string): string {
  const url = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/]*@)?(\[[^\]]*\]|[^:/]*)(?::\d*)?(\/[^?#]*)?/i.exec(remote);
  if (url?.[1]) return hosted(url[1], url[2] ?? '');
  if (url) return trimmed(decoded(url[2] ?? '/'));
  // scp's form, host:path; a single letter before the colon is a drive of Windows.
  const scp = /^(?:[^/\\]+@)?([^:/\\@]{2,}):(.+)$/.exec(remote);
  if (scp) return hosted(scp[1]!, scp[2]!);
  return trimmed(isAbsolute(remote) ? remote : resolve(root, remote));
}

function hosted(hostname: string, path: string): string {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  const name = trimmed(decoded(path)).replace(/^\/+/, '');
  const known = hostAliases.get(host);
  return known ? `${known}/${name.toLowerCase()}` : `${host}/${name}`;
}

const trimmed = (path: string) =>
  path
    .replace(/\/+$/, '')
    .replace(/\.git$/i, '')
    .replace(/(?<=.)\/+$/, '');

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
