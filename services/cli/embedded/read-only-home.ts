import { accessSync, chmodSync, constants, copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * The views of a home that cannot be written: a copy in a temporary folder, so that questions are answered nevertheless.
 * What it holds is sealed as it is in the home.
 */
export function borrowedViews(views: string): { readonly path: string; giveBack(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'hindsight-ledger-views-'));
  const path = join(folder, 'views.db');
  for (const suffix of ['', '-wal']) {
    if (!existsSync(views + suffix)) continue;
    copyFileSync(views + suffix, path + suffix);
    // A copy has the mode of what it was made from: that of a read-only file could not be written either.
    chmodSync(path + suffix, 0o600);
  }
  return { path, giveBack: () => rmSync(folder, { recursive: true, force: true }) };
}
