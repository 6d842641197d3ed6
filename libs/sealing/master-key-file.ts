import { randomUUID } from 'node:crypto';
import { type FileHandle, link, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { HindsightError } from '#contract/errors.js';
import { decodeKeyring, encodeKeyring, type MasterKey } from './master-key.js';

/**
 * The master key in a file that only its owner may read (0600). It appears whole or not at all, and once: written beside
 * its place, flushed, then linked there, which fails when another process was faster.
 */
export function masterKeyFile(path: string): MasterKey {
  const read = async () => {
    const text = await textOf(path);
    return text === undefined ? undefined : decodeKeyring(text, path);
  };
  return {
    place: path,
    read,
    async create(first) {
      await linkOnce(path, encodeKeyring(first));
      return (await read()) ?? first;
    },
    async replace(keyring) {
      await renameOver(path, encodeKeyring(keyring));
      await sweep(path, 0);
    },
  };
}

/** A sentence when others than the owner may read the file; undefined when all is well, and on Windows. */
export async function looseModeOf(path: string): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined;
  const found = await stat(path).catch(() => undefined);
  if (!found || (found.mode & 0o077) === 0) return undefined;
  const mode = (found.mode & 0o777).toString(8).padStart(4, '0');
  return `${path} has mode ${mode}, so others on this machine may reach the master key. Run: chmod 600 ${path}`;
}

/** How long another process may take to write and link its key, in milliseconds. */
const creationTime = 60_000;

/**
 * Removes what a creation that was killed left beside the key: it may be a second name of the key itself, which would
 * outlive an erase.
 */
export async function sweepUnfinished(path: string): Promise<void> {
  await sweep(path, creationTime);
}

async function sweep(path: string, olderThan: number): Promise<void> {
  const names = await readdir(dirname(path)).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(`${basename(path)}.creating-`))) {
    const left = join(dirname(path), name);
    const found = await stat(left).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs >= olderThan) await unlink(left).catch(() => undefined);
  }
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'latin1');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new HindsightError(
      'master_key_wrong',
      `${path} cannot be read: ${(error as Error).message}.`,
      { file: path },
      { cause: error },
    );
  }
}

async function linkOnce(path: string, text: string): Promise<void> {
  const beside = `${path}.creating-${randomUUID()}`;
  try {
    await writeDurably(beside, text);
    await link(beside, path).catch((error) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
    // Whoever began a new epoch meanwhile has removed it.
    await unlink(beside).catch(() => undefined);
    // The file's own flush does not make its name durable.
    await flushDirectory(dirname(path));
  } catch (error) {
    await unlink(beside).catch(() => undefined);
    throw unwritable(path, error);
  }
}

async function renameOver(path: string, text: string): Promise<void> {
  const beside = `${path}.creating-${randomUUID()}`;
  try {
    await writeDurably(beside, text);
    await rename(beside, path);
    await flushDirectory(dirname(path));
  } catch (error) {
    await unlink(beside).catch(() => undefined);
    throw unwritable(path, error);
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function flushDirectory(path: string): Promise<void> {
  let directory: FileHandle;
  try {
    directory = await open(path, 'r');
  } catch (error) {
    // Windows opens no directories.
    if (process.platform === 'win32') return;
    throw error;
  }
  await directory.sync().finally(() => directory.close());
}

function unwritable(path: string, error: unknown): unknown {
  const details = { file: path };
  if (codeOf(error) === 'ENOSPC')
    return new HindsightError('disk_full', `The disk is full: ${path} cannot be written.`, details, { cause: error });
  return new HindsightError('not_writable', `${path} cannot be written: ${(error as Error).message}.`, details, {
    cause: error,
  });
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | null)?.code;
}
