import { open, readFile } from 'node:fs/promises';
import { HindsightError, isHindsightError } from '#contract/errors.js';
import type { EncodedEvent } from '#events/envelope.js';
import { keylessErased } from '#ingest/erase/erase-keyless.js';
import { type BackupHead, backedEvents, checkBackup } from '#ledger/backup-lines.js';
import { applyLaterErasures, type LaterErasures } from '#ledger/later-erasures.js';
import { recordRotation } from '#ledger/record-rotation.js';
import { restoreLedger } from '#ledger/restore-ledger.js';
import { openSqliteLedger } from '#ledger/sqlite/sqlite-ledger.js';
import { bundleKeyStore } from '#sealing/bundle-key-store.js';
import { decodeBundle, type KeyBundle, putBundle } from '#sealing/key-bundle.js';
import type { MasterKey } from '#sealing/master-key.js';
import { moveEpoch } from '#sealing/move-epoch.js';
import { openVault } from '#sealing/open-vault.js';
import { masterOf } from '#sealing/unlock.js';
import type { Vault } from '#sealing/vault.js';
import { systemSources } from '../embedded/system-sources.js';
import type { Stores } from '../migrate/stores.js';
import { findKeyless, type Keyless } from './find-keyless.js';
import { insistOnErased, type KeylessCounts } from './keyless-refused.js';

export interface BackupFiles {
  readonly events: string;
  readonly keys: string;
  /** A later backup, or the ledger.db of a later state: what it erased is erased again. */
  readonly erasures?: string | undefined;
}

/** A backup that was read, and found to be whole. */
export interface ReadBackup {
  readonly files: BackupFiles;
  readonly head: BackupHead;
  readonly bundle: KeyBundle;
  /** What has no key, and is to be erased anew; undefined where an earlier try moved the keys on: those that it put there tell. */
  readonly keyless: Keyless | undefined;
  readonly eraseMissing: boolean;
}

export interface ReadOptions {
  /** An earlier try may have put keys into the place, and moved them on. */
  readonly begun?: boolean;
  /** What has no key, and of which nothing says that it was erased, is erased anew; else it is refused. */
  readonly eraseMissing?: boolean;
}

/**
 * Reads all of a backup before anything is made of it.
 * @throws HindsightError file_not_found · invalid_input when files do not belong together, or the keys lack some that no erasure took ·
 * ledger_corrupt when one is cut or changed · master_key_missing · master_key_wrong when the copy of the keys would not open
 */
export async function readBackup(
  files: BackupFiles,
  masterKey: MasterKey,
  { begun = false, eraseMissing = false }: ReadOptions = {},
): Promise<ReadBackup> {
  const head = await checkBackup(files.events);
  const bundle = decodeBundle(await textOf(files.keys), files.keys);
  if (bundle.ledger !== head.ledger)
    throw new HindsightError(
      'invalid_input',
      `${files.events} is of ledger ${head.ledger}, ${files.keys} of ${bundle.ledger}.`,
    );
  if (bundle.made < head.made)
    throw new HindsightError(
      'invalid_input',
      `${files.keys} was made ${bundle.made}, before ${files.events} (${head.made}): it may lack keys. Give one that is as new.`,
    );
  if (!begun) await insistOnMaster(bundle, files.keys, masterKey);
  if (files.erasures !== undefined) await withLater(files.erasures, head.ledger, async () => undefined);
  const read = { files, head, bundle, eraseMissing };
  const vault = await openVault({ keyStore: bundleKeyStore(bundle), masterKey, sources: systemSources }).catch(
    (error: unknown) => {
      if (begun && isHindsightError(error, 'master_key_wrong')) return undefined;
      throw error;
    },
  );
  return { ...read, keyless: vault && (await keylessOf(read, vault)) };
}

/** @throws HindsightError invalid_input unless it is to be erased anew */
async function keylessOf(read: Omit<ReadBackup, 'keyless'>, vault: Vault): Promise<Keyless> {
  const { files, head } = read;
  const look = (later?: AsyncIterable<EncodedEvent>) => findKeyless(vault, backedEvents(files.events), later);
  const keyless = await (files.erasures === undefined ? look() : withLater(files.erasures, head.ledger, look));
  if (!read.eraseMissing) insistOnErased(keyless, read);
  return keyless;
}

/** Told before anything is made: today's master key opens only a copy of the keys that was made since it is in force. */
async function insistOnMaster({ epoch, made }: KeyBundle, file: string, masterKey: MasterKey): Promise<void> {
  const { place } = masterKey;
  try {
    masterOf(await masterKey.read(), epoch, place);
  } catch (error) {
    if (!isHindsightError(error, 'master_key_wrong')) throw error;
    throw new HindsightError(
      'master_key_wrong',
      `${place} is not the master key of ${file} (made ${made}): each erasure and \`keys rotate\` makes a new one. Give a newer copy of the keys with --keys, which this master key opens, or the master.key of then.`,
      { ...error.details, keys: file },
      { cause: error },
    );
  }
}

export interface RestoreTools {
  readonly now: () => number;
  readonly uuid: () => string;
  readonly principal: string;
}

export interface Restored {
  readonly ledger: string;
  readonly events: number;
  readonly streams: number;
  /** Erasures of later that were applied again. */
  readonly again?: Pick<LaterErasures, 'erasures' | 'memories'> & { readonly epoch: number };
  /** What had no key in the copy of the keys, and was erased anew. */
  readonly missing?: KeylessCounts & { readonly epoch: number };
}

/**
 * Puts a backup where no ledger is: keys first, then events, then what was erased later, and only then may anybody write. Killed anywhere,
 * it is finished by doing it again.
 * @throws HindsightError as of `readBackup` and `restoreLedger`
 */
export async function restoreBackup(
  read: ReadBackup,
  { place, keys }: Pick<Stores, 'place' | 'keys'>,
  tools: RestoreTools,
  options: { readonly onProgress?: (events: number) => void; readonly signal?: AbortSignal } = {},
): Promise<Restored> {
  const { files, head, bundle } = read;
  // With the erasures of later applied the keys have moved on: what an earlier try has put there stays.
  const standing = await keys.keyStore.epoch();
  const needed = standing && standing.epoch > bundle.epoch.epoch ? standing : bundle.epoch;
  masterOf(await keys.masterKey.read(), needed, keys.masterKey.place);
  const keyless = read.keyless ?? (await keylessOf(read, await openVault(keys)));
  if (needed === bundle.epoch) await putBundle(keys.keyStore, bundle);
  let again: Restored['again'];
  let missing: Restored['missing'];
  const { events, streams } = await restoreLedger(place, backedEvents(files.events), {
    ...options,
    async before() {
      const apply = (later: AsyncIterable<EncodedEvent>) =>
        applyLaterErasures(place, backedEvents(files.events), later);
      if (files.erasures !== undefined) {
        const { erasures, memories, ...doomed } = await withLater(files.erasures, head.ledger, apply);
        again = { erasures, memories, epoch: await moveEpoch(keys, doomed) };
      }
      if (keyless.size === 0) return;
      const { memories, ...doomed } = await apply(
        erasedAnew(keyless, read, { keys, tools, vault: await openVault(keys) }),
      );
      const { subjects, banks } = doomed;
      missing = { memories, people: subjects.length, banks: banks.length, epoch: await moveEpoch(keys, doomed) };
    },
  });
  const epoch = missing?.epoch ?? again?.epoch ?? bundle.epoch.epoch;
  if (epoch > bundle.epoch.epoch) await recordRotation(place.ledger, tools, { epoch, cause: 'erasure' });
  return { ledger: head.ledger, events, streams, ...(again && { again }), ...(missing && { missing }) };
}

function erasedAnew(
  keyless: Keyless,
  { head, bundle }: ReadBackup,
  { keys, tools, vault }: Pick<Stores, 'keys'> & { readonly tools: RestoreTools; readonly vault: Vault },
): AsyncIterable<EncodedEvent> {
  const all = [...keyless].map(([bank, { memories, subjects, isGone }]) => ({
    bank,
    memories: [...memories].sort(),
    subjects: [...subjects].sort(),
    isGone,
  }));
  return keylessErased(all, {
    ledger: head.ledger,
    vault,
    sources: { now: tools.now, random: keys.sources.random },
    principal: tools.principal,
    cause: `restored ${head.made} ${bundle.made}`,
    reason: `Restored from a backup of ${head.made} with keys of ${bundle.made}, which had none for it any more.`,
  });
}

async function withLater<T>(
  path: string,
  ledger: string,
  use: (events: AsyncIterable<EncodedEvent>) => Promise<T>,
): Promise<T> {
  const check = (found: string) => {
    if (found === ledger) return;
    throw new HindsightError('invalid_input', `${path} is of ledger ${found}, and the backup of ${ledger}.`, {
      file: path,
    });
  };
  if (!(await isDatabase(path))) {
    check((await checkBackup(path)).ledger);
    return use(backedEvents(path));
  }
  const later = await openSqliteLedger(path);
  try {
    check(later.id);
    return await use(later.readAll());
  } finally {
    await later.close();
  }
}

async function isDatabase(path: string): Promise<boolean> {
  const file = await open(path, 'r').catch(() => undefined);
  if (!file) throw new HindsightError('file_not_found', `There is no file ${path}.`, { file: path });
  try {
    const { buffer } = await file.read(Buffer.alloc(15), 0, 15, 0);
    return buffer.toString('latin1') === 'SQLite format 3';
  } finally {
    await file.close();
  }
}

async function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause: unknown) => {
    throw new HindsightError(
      'file_not_found',
      `${path} cannot be read: ${(cause as Error).message}.`,
      { file: path },
      { cause },
    );
  });
}
