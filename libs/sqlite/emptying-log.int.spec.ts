import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { emptyingLog } from './emptying-log.js';
import { openDatabase } from './open-database.js';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hl-emptying-'));
  path = join(folder, 'a.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

it('moves a long log into the file while its writer is at work, and leaves a short one', () => {
  const db = openDatabase(path, { synchronous: 'NORMAL' });
  db.exec('PRAGMA wal_autocheckpoint = 0; CREATE TABLE things (bytes BLOB)');
  const insert = db.prepare('INSERT INTO things VALUES (zeroblob(?))');
  const looking = openDatabase(path, { synchronous: 'NORMAL' });
  const inLog = () => {
    const { log, checkpointed } = looking.prepare('PRAGMA wal_checkpoint(NOOP)').get() as Record<string, number>;
    return log! - checkpointed!;
  };
  const empty = emptyingLog(path);
  insert.run(100 * 4096);
  const before = inLog();
  empty();
  expect(inLog()).toBe(before);
  insert.run(1_500 * 4096);
  db.exec('BEGIN IMMEDIATE');
  insert.run(10);
  empty();
  expect(inLog()).toBe(0);
  expect(statSync(path).size).toBeGreaterThan(1_500 * 4096);
  db.exec('COMMIT');
  expect(db.prepare('SELECT count(*) AS found FROM things').get()).toMatchObject({ found: 3 });
  looking.close();
  db.close();
});

it('makes no file where none is, and says nothing of what is no database', () => {
  emptyingLog(path)();
  expect(existsSync(path)).toBe(false);
  emptyingLog(folder)();
});
