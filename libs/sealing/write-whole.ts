import { randomUUID } from 'node:crypto';
import { open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { HindsightError } from '#contract/errors.js';

/**
 * Writes a file that only its owner may read (0600): whole and durable, or not at all; what is there is replaced.
 * @throws HindsightError disk_full · not_writable
 */
export async function writeWhole(path: string, parts: Iterable<string> | AsyncIterable<Uint8Array>): Promise<void> {
  const beside = `${path}.writing-${randomUUID()}`;
  try {
    const file = await open(beside, 'wx', 0o600);
    try {
      for await (const part of parts) await file.writeFile(part);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, path);
    await flushed(dirname(path));
  } catch (error) {
    await unlink(beside).catch(() => undefined);
    const code = (error as NodeJS.ErrnoException).code;
    if (error instanceof HindsightError || code === undefined) throw error;
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

async function flushed(folder: string): Promise<void> {
  // Windows opens no folders.
  if (process.platform === 'win32') return;
  const directory = await open(folder, 'r');
  await directory.sync().finally(() => directory.close());
}
