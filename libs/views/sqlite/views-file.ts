import { rmSync, statSync } from 'node:fs';
import { HindsightError } from '#contract/errors.js';
import { isDamage } from '#sqlite/damage.js';
import { withFileLock } from '#sqlite/file-lock.js';
import { immediate } from '#sqlite/immediate.js';
import { openDatabase, type SqliteDatabase } from '#sqlite/open-database.js';
import { truncateLog } from '#sqlite/truncate-log.js';
import { storeTables, viewsFormat } from './schema.js';
import { unsealedAway, vectorTables } from './vector-tables.js';

/** What a views store logs: ids and paths, never content. A pino logger is one. */
export interface ViewsLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** views.db as one process has it open. It may be deleted, damaged or replaced at any time. */
export interface ViewsFile {
  readonly path: string;
  readonly db: SqliteDatabase;
  /** Counts how often this process opened a file here: what was cached of an earlier one is void. */
  readonly openings: number;
  /** Whether the file that is open is no longer the one at the path. Costs one stat. */
  isReplaced(): boolean;
  reopen(): Promise<void>;
  /** Puts an empty file in the place of a damaged one, unless another process has done so already. */
  replaceDamaged(error: unknown): Promise<void>;
  close(): void;
}

/** KiB of pages: a rebuild writes all over the postings' tree. */
const cacheKib = 16 * 1024;

/**
 * Pages that the write-ahead log may hold before SQLite moves them into the file, with two fsyncs: a single write touches
 * some forty, so by default (1,000) every 25th waited for the disk. At most 16 MB lie beside the file.
 */
const checkpointPages = 4_000;

/** @throws HindsightError newer_format · not_writable · disk_full */
export async function openViewsFile(path: string, ledger: string, log: ViewsLog): Promise<ViewsFile> {
  let opened = await open(path, ledger, log);
  let openings = 1;
  let swapping: Promise<void> | undefined;

  async function swap(why: Missing): Promise<void> {
    const before = opened;
    opened = await open(path, ledger, log, why);
    openings++;
    before.db.close();
  }

  /** Whoever asks while another does it waits for the same file: two at once would close one that is closed. */
  function reopen(why: Missing = 'unexplained'): Promise<void> {
    swapping ??= swap(why).finally(() => {
      swapping = undefined;
    });
    return swapping;
  }

  return {
    path,
    get db() {
      return opened.db;
    },
    get openings() {
      return openings;
    },
    isReplaced: () => inodeOf(path) !== opened.inode,
    reopen: () => reopen(),
    async replaceDamaged(error) {
      const damaged = opened.inode;
      log.warn({ file: path, error: String(error) }, 'views.db is damaged: rebuilding it from the ledger');
      await withFileLock(path, () => {
        if (inodeOf(path) === damaged) removeFiles(path);
      });
      await reopen('told');
    },
    close: () => opened.db.close(),
  };
}

/** Whether the log has said already why there is no file. */
type Missing = 'unexplained' | 'told';

async function open(
  path: string,
  ledger: string,
  log: ViewsLog,
  why: Missing = 'unexplained',
): Promise<{ db: SqliteDatabase; inode: number }> {
  let missing = why;
  for (let attempt = 1; ; attempt++) {
    const inode = inodeOf(path);
    if (inode === undefined && (await createFile(path, ledger)) && missing === 'unexplained')
      log.info({ file: path }, 'views.db is not there: building it from the ledger');
    let db: SqliteDatabase | undefined;
    try {
      db = openDatabase(path, { synchronous: 'NORMAL', cacheKib });
      db.exec(`PRAGMA wal_autocheckpoint = ${checkpointPages}; PRAGMA secure_delete = ON`);
      const unfit = await whyUnfit(db, ledger);
      const opened = inodeOf(path);
      if (unfit === undefined && opened !== undefined) return { db, inode: opened };
      if (unfit !== undefined) log.warn({ file: path }, `${unfit}: rebuilding it from the ledger`);
    } catch (error) {
      if (!isDamage(error) || attempt > 3) {
        db?.close();
        throw error;
      }
      log.warn({ file: path, error: String(error) }, 'views.db is damaged: rebuilding it from the ledger');
    }
    db?.close();
    missing = 'told';
    await withFileLock(path, () => {
      if (inodeOf(path) === inode) removeFiles(path);
    });
  }
}

/**
 * Only here is a file made where none is, and leftovers removed: another process's new -wal must not be among them.
 * @returns whether it was made; another process may have been first
 */
async function createFile(path: string, ledger: string): Promise<boolean> {
  return withFileLock(path, async () => {
    if (inodeOf(path) !== undefined) return false;
    removeFiles(path);
    const db = openDatabase(path, { synchronous: 'NORMAL', cacheKib });
    await initialise(db, ledger);
    db.close();
    return true;
  });
}

async function initialise(db: SqliteDatabase, ledger: string): Promise<void> {
  await immediate(db, () => {
    db.exec(storeTables);
    db.prepare(`INSERT OR IGNORE INTO hl_meta (name, value) VALUES ('ledger', ?), ('stamp', '1')`).run(ledger);
    db.exec(`PRAGMA user_version = ${viewsFormat}`);
  });
}

/** From it on, vectors are sealed. */
const sealedFormat = 2;

/** A sentence when the file must be rebuilt; undefined when it serves. */
async function whyUnfit(db: SqliteDatabase, ledger: string): Promise<string | undefined> {
  const format = formatOf(db);
  if (format > viewsFormat)
    throw new HindsightError(
      'newer_format',
      `${db.path} has format ${format}, this release knows ${viewsFormat}: a newer release wrote it. Install that release; ` +
        'or, when no process uses it any more, delete the file: it is rebuilt from the ledger.',
      { file: db.path, found: format, known: viewsFormat },
    );
  if (format === 0) await initialise(db, ledger);
  else if (format < viewsFormat) await upgrade(db);
  const owner = (db.prepare(`SELECT value FROM hl_meta WHERE name = 'ledger'`).get() as { value: string } | undefined)
    ?.value;
  return owner === ledger ? undefined : `views.db belongs to ledger ${owner}, not to ${ledger}`;
}

function formatOf(db: SqliteDatabase): number {
  return Number(Object.values(db.prepare('PRAGMA user_version').get() as object)[0]);
}

/** Once, whoever comes first. A former release that runs on finds no vectors that it knows, and refuses the file when it opens it next. */
async function upgrade(db: SqliteDatabase): Promise<void> {
  const isUnsealed = formatOf(db) < sealedFormat;
  await immediate(db, () => {
    if (formatOf(db) === viewsFormat) return;
    db.exec(isUnsealed ? unsealedAway : vectorTables);
    db.exec(`PRAGMA user_version = ${viewsFormat}`);
  });
  if (isUnsealed) truncateLog(db);
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

function removeFiles(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${path}${suffix}`, { force: true });
}
