import { randomBytes } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { HindsightError } from '#contract/errors.js';
import { isDamage } from '#sqlite/damage.js';
import { withFileLock } from '#sqlite/file-lock.js';
import { immediate } from '#sqlite/immediate.js';
import { openDatabase, type SqliteDatabase } from '#sqlite/open-database.js';

/** What a cache logs: paths and codes, never content. A pino logger is one. */
export interface CacheLog {
  warn(fields: object, message: string): void;
}

/** cache.db as one process has it open: from the first use on. It may be deleted, damaged or replaced at any time. */
export interface CacheFile {
  /**
   * The file that stands at the path now, made where there is none.
   * @throws HindsightError newer_format · not_writable · disk_full · no_file
   */
  db(): Promise<SqliteDatabase>;
  /** Puts an empty file in the place of this one, unless another process has. */
  replace(why: string): Promise<void>;
  close(): void;
}

const format = 1;

/**
 * `words_of` says in which vectors words of a memory are, by a hash of its id. `erasures` tells whoever has opened texts that some of them
 * may be erased since; `hl_meta.file` that this is another file than before, which knows nothing of the erasures that the former one saw.
 */
const tables = `
  CREATE TABLE IF NOT EXISTS hl_meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS banks (number INTEGER PRIMARY KEY, bank TEXT NOT NULL UNIQUE, erasures INTEGER NOT NULL DEFAULT 0);
  CREATE TABLE IF NOT EXISTS vectors (
    id INTEGER PRIMARY KEY, bank INTEGER NOT NULL, hash BLOB NOT NULL, sealed BLOB NOT NULL, UNIQUE (bank, hash));
  CREATE TABLE IF NOT EXISTS words_of (memory BLOB NOT NULL, vector INTEGER NOT NULL, PRIMARY KEY (memory, vector)) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS words_in ON words_of (vector);
`;

export function cacheFile(path: string, log: CacheLog): CacheFile {
  let opened: Opened | undefined;
  let opening: Promise<SqliteDatabase> | undefined;

  async function reopen(): Promise<SqliteDatabase> {
    opened?.db.close();
    opened = undefined;
    opened = await open(path, log);
    return opened.db;
  }

  return {
    async db() {
      if (opened && inodeOf(path) === opened.inode) return opened.db;
      opening ??= reopen().finally(() => {
        opening = undefined;
      });
      return opening;
    },
    async replace(why) {
      const inode = opened?.inode ?? inodeOf(path);
      log.warn({ file: path }, `${why}: an empty one takes its place`);
      await removeStill(path, inode);
    },
    close() {
      opened?.db.close();
      opened = undefined;
    },
  };
}

interface Opened {
  readonly db: SqliteDatabase;
  readonly inode: number;
}

async function open(path: string, log: CacheLog): Promise<Opened> {
  for (let attempt = 1; ; attempt++) {
    if (inodeOf(path) === undefined) await create(path);
    const inode = inodeOf(path);
    let db: SqliteDatabase | undefined;
    try {
      db = connect(path);
      const found = formatOf(db);
      if (found === 0) await initialise(db);
      // Another one may have been put there just now.
      if (inode !== undefined && inodeOf(path) === inode) return { db, inode };
      db.close();
    } catch (error) {
      db?.close();
      if (!isDamage(error) || attempt > 3) throw error;
      log.warn({ file: path }, 'cache.db is damaged: an empty one takes its place');
      await removeStill(path, inode);
    }
  }
}

/** Only here leftovers are removed: another process's new -wal must not be among them. */
async function create(path: string): Promise<void> {
  await withFileLock(path, async () => {
    if (inodeOf(path) !== undefined) return;
    removeFiles(path);
    const db = connect(path);
    try {
      await initialise(db);
    } finally {
      db.close();
    }
  });
}

function connect(path: string): SqliteDatabase {
  const db = openDatabase(path, { synchronous: 'NORMAL' });
  db.exec('PRAGMA secure_delete = ON');
  return db;
}

async function initialise(db: SqliteDatabase): Promise<void> {
  await immediate(db, () => {
    db.exec(tables);
    const name = randomBytes(12).toString('base64url');
    db.prepare(`INSERT OR IGNORE INTO hl_meta (name, value) VALUES ('file', ?)`).run(name);
    db.exec(`PRAGMA user_version = ${format}`);
  });
}

function formatOf(db: SqliteDatabase): number {
  const found = Number(Object.values(db.prepare('PRAGMA user_version').get() as object)[0]);
  if (found <= format) return found;
  throw new HindsightError(
    'newer_format',
    `${db.path} has format ${found}, this release knows ${format}: a newer release wrote it. Without it, vectors are made anew.`,
    { file: db.path, found, known: format },
  );
}

async function removeStill(path: string, inode: number | undefined): Promise<void> {
  await withFileLock(path, () => {
    if (inodeOf(path) === inode) removeFiles(path);
  });
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

function removeFiles(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${path}${suffix}`, { force: true });
}
