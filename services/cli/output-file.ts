import { accessSync, type BigIntStats, constants, lstatSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { homePaths } from '#config/home.js';
import type { LoadedConfig } from '#config/load-config.js';
import type { Config } from '#config/settings.js';
import { type ErrorCode, HindsightError } from '#contract/errors.js';
import { size } from '#query/mcp/render/shown.js';
import { tryToWrite } from '#sealing/write-whole.js';

/** What lies beside a database, a ledger or a key while it is in use. */
const companions = ['', '-wal', '-shm', '-journal', '.damaged', '.lock'] as const;

type Owned = Pick<Config, 'home' | 'masterKeyFile'>;

interface Named {
  /** How the person named it: `--out`, `file`. */
  readonly name: string;
  readonly given: string;
}

/** `--overwrite` of a verb: without it, a file that is there stays. */
interface Overwriting {
  readonly overwrite?: boolean | undefined;
}

/**
 * A file that a command is to write, looked at before the command does anything else: written to in place, so it may be a device or a pipe,
 * and what was in it is gone.
 * @returns its path, whole
 * @throws HindsightError invalid_input when it is one of the home's own files, a folder, in no folder, cannot be written, or is there and not
 * to be overwritten
 */
export async function outputFile(named: Named, config: Owned, { overwrite = true }: Overwriting = {}): Promise<string> {
  const path = elsewhere(named, config);
  const there = statOf(path);
  if (there?.isDirectory()) throw refused(named, path, 'which is a folder');
  if (!overwrite) insistOnNone(named, path);
  if (!there) return writable(named, path);
  try {
    accessSync(path, constants.W_OK);
  } catch (cause) {
    throw refused(named, path, `which cannot be written (${(cause as Error).message})`, cause);
  }
  return path;
}

/**
 * A file that is written whole beside its place and then put there: what is there is replaced in one step, and stays where that fails.
 * @returns its path, whole
 * @throws HindsightError invalid_input as `outputFile` does, and where what is there is no file
 */
export async function replacedFile(
  named: Named,
  config: Owned,
  { overwrite = true }: Overwriting = {},
): Promise<string> {
  const path = elsewhere(named, config);
  const there = statOf(path);
  if (there && !there.isFile()) throw refused(named, path, `which is ${there.isDirectory() ? 'a folder' : 'no file'}`);
  if (!overwrite) insistOnNone(named, path);
  return writable(named, path);
}

/**
 * The copy of the wrapped keys takes the place of no file that the home lives on: neither now nor at an erasure a year from now.
 * @throws HindsightError invalid_config
 */
export function refuseOwnKeyBackup({ config, origins }: LoadedConfig): void {
  const { keyBackup } = config;
  if (keyBackup === undefined || keyBackup === 'none') return;
  const own = ownFile(keyBackup, config);
  if (own === undefined) return;
  throw ownRefused('invalid_config', { name: `keyBackup (${origins.keyBackup})`, given: keyBackup }, own);
}

/** A device or a pipe: nothing is lost by writing to it, and nothing can be put in its place. */
export function isWrittenTo(path: string): boolean {
  const there = statOf(path);
  return there !== undefined && !there.isFile() && !there.isDirectory();
}

export function isFolder(path: string): boolean {
  return statOf(path)?.isDirectory() ?? false;
}

function elsewhere(named: Named, config: Owned): string {
  if (named.given === '' || named.given.includes('\0')) throw refused(named, named.given, 'which names no file');
  const path = resolve(named.given);
  const own = ownFile(path, config);
  if (own !== undefined) throw ownRefused('invalid_input', named, own);
  return path;
}

function ownRefused(code: ErrorCode, { name, given }: Named, own: string): HindsightError {
  return new HindsightError(
    code,
    `${name} is ${JSON.stringify(given)}, which is ${own}: a file that this home lives on, and that would be destroyed. Nothing was done. Accepted: any other file.`,
    { file: given, own },
  );
}

/** Who names a file seldom looks whether there is one, and it may be the only backup of another home. */
function insistOnNone(named: Named, path: string): void {
  if (isWrittenTo(path)) return;
  const there = statOf(path);
  if (!there && !isLink(path)) return;
  const what = there
    ? `a file of ${size(Number(there.size))}, last changed ${there.mtime.toISOString().slice(0, 16).replace('T', ' ')} UTC`
    : 'a link to what is not there';
  const why = `which is there already: ${what}. Nothing was done`;
  throw refused(named, path, why, undefined, 'another name, or --overwrite, which replaces it');
}

async function writable(named: Named, path: string): Promise<string> {
  const folder = dirname(path);
  if (!isFolder(folder)) throw refused(named, path, `and there is no folder ${folder}`);
  try {
    await tryToWrite(path);
  } catch (cause) {
    throw refused(named, path, `which cannot be written (${(cause as Error).message})`, cause);
  }
  return path;
}

function refused(
  { name, given }: Named,
  file: string,
  why: string,
  cause?: unknown,
  accepted = 'a file in a folder that is there, and that you may write to',
): HindsightError {
  return new HindsightError(
    'invalid_input',
    `${name} is ${JSON.stringify(given)}, ${why}. Accepted: ${accepted}.`,
    { file },
    { cause },
  );
}

/** Which of the home's own files a path is, by whatever name or link; undefined when it is none. */
function ownFile(path: string, { home, masterKeyFile }: Owned): string | undefined {
  const { root: _root, ...files } = homePaths(home);
  const asked = names(path);
  const there = statOf(path);
  return [...Object.values(files), masterKeyFile]
    .flatMap((file) => companions.map((suffix) => `${file}${suffix}`))
    .find((own) => {
      if (names(own).some((each) => asked.includes(each))) return true;
      const stats = there && statOf(own);
      // Two names of one file: a hard link, or a file system that does not tell A from a.
      return stats !== undefined && stats.ino === there?.ino && stats.dev === there.dev && stats.ino !== 0n;
    });
}

/** A path with the links of its folder followed, and with its own followed too. */
function names(path: string): string[] {
  const whole = resolve(path);
  const inFolder = join(real(dirname(whole)) ?? dirname(whole), basename(whole));
  return [whole, inFolder, real(whole) ?? inFolder];
}

function real(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

function statOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
