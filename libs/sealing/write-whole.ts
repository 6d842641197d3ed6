import { randomUUID } from 'node:crypto';
import { link, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { HindsightError } from '#contract/errors.js';

/** What no file system without hard links can do (FAT, some network shares). */
const withoutLinks: readonly (string | undefined)[] = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'];

/**
 * Writes a file that only its owner may read (0600): whole and durable, or not at all; what is there is replaced.
 * @param options.onlyNew what is there meanwhile stays, and of two at once one is refused
 * @throws HindsightError disk_full · not_writable · invalid_input with `onlyNew`, when the file is there
 */
export async function writeWhole(
  path: string,
  parts: Iterable<string> | AsyncIterable<string | Uint8Array>,
  { onlyNew = false }: { readonly onlyNew?: boolean } = {},
): Promise<void> {
  const beside = `${path}.writing-${randomUUID()}`;
  try {
    const file = await open(beside, 'wx', 0o600);
    try {
      for await (const part of parts) await file.writeFile(part);
      await file.sync();
    } finally {
      await file.close();
    }
    await (onlyNew ? putNew(beside, path) : rename(beside, path));
    await flushed(dirname(path));
  } catch (error) {
    await unlink(beside).catch(() => undefined);
    const code = (error as NodeJS.ErrnoException).code;
    if (error instanceof HindsightError || code === undefined) throw error;
    if (onlyNew && code === 'EEXIST') throw thereAlready(path, error);
    if (code === 'ENOSPC')
      throw new HindsightError(
        'disk_full',
        `The disk is full: ${path} cannot be written.`,
        { file: path },
        { cause: error },
      );
    const why = (error as Error).message;
    throw new HindsightError('not_writable', `${path} cannot be written: ${why}.`, { file: path }, { cause: error });
  }
}

/**
 * Whether `writeWhole` could write there: tries to make a file beside it, which is what it would begin with, since rights do not tell of a file
 * system that takes nothing. Leaves nothing.
 * @throws as node:fs does
 */
export async function tryToWrite(path: string): Promise<void> {
  const beside = `${path}.writing-${randomUUID()}`;
  const file = await open(beside, 'wx', 0o600);
  await file.close().finally(() => unlink(beside));
}

/** Made by somebody else since it was looked for. */
export function thereAlready(path: string, cause: unknown): HindsightError {
  return new HindsightError(
    'invalid_input',
    `${path} is there already: it was made while this was being written, and is left as it is. Accepted: another name, or --overwrite, which replaces it.`,
    { file: path },
    { cause },
  );
}

async function putNew(beside: string, path: string): Promise<void> {
  try {
    await link(beside, path);
  } catch (error) {
    if (!withoutLinks.includes((error as NodeJS.ErrnoException).code)) throw error;
    // The name is taken first, so nobody else's file is replaced.
    await (await open(path, 'wx', 0o600)).close();
    return rename(beside, path);
  }
  await unlink(beside);
}

async function flushed(folder: string): Promise<void> {
  // Windows opens no folders.
  if (process.platform === 'win32') return;
  const directory = await open(folder, 'r');
  await directory.sync().finally(() => directory.close());
}
