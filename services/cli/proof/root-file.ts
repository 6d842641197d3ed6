import { readFileSync, writeFileSync } from 'node:fs';
import { HindsightError } from '#contract/errors.js';
import { type ExportedRoot, exportedRoot } from '#proof/root.js';
import { thereAlready } from '#sealing/write-whole.js';

/** @throws HindsightError file_not_found · invalid_input when the file holds no root */
export function readRootFile(path: string): ExportedRoot {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new HindsightError(
      'file_not_found',
      `${path} cannot be read: ${(cause as Error).message}.`,
      { file: path },
      { cause },
    );
  }
  try {
    return exportedRoot.parse(JSON.parse(text));
  } catch (cause) {
    throw new HindsightError(
      'invalid_input',
      `${path} holds no root of a ledger. Accepted: what \`hindsight-ledger seal --export FILE\` writes.`,
      { file: path },
      { cause },
    );
  }
}

/** @throws HindsightError not_writable · invalid_input with `onlyNew`, when the file is there */
export function writeRootFile(path: string, root: ExportedRoot, { onlyNew }: { readonly onlyNew: boolean }): void {
  try {
    writeFileSync(path, `${JSON.stringify(root, null, 2)}\n`, { flag: onlyNew ? 'wx' : 'w' });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') throw thereAlready(path, cause);
    throw new HindsightError(
      'not_writable',
      `${path} cannot be written: ${(cause as Error).message}.`,
      { file: path },
      { cause },
    );
  }
}
