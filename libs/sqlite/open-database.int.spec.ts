import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { immediate } from './immediate.js';
import { openDatabase } from './open-database.js';

const folder = mkdtempSync(join(tmpdir(), 'hl-sqlite-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('sets FULL on every connection: a file in WAL mode that is opened again falls back to NORMAL', () => {
  const path = join(folder, 'full.db');
  for (const _ of ['first', 'again']) {
    const db = openDatabase(path, { synchronous: 'FULL' });
    db.exec('CREATE TABLE IF NOT EXISTS t (n)');
    expect({ ...db.prepare('PRAGMA synchronous').get() }).toEqual({ synchronous: 2 });
    expect({ ...db.prepare('PRAGMA journal_mode').get() }).toEqual({ journal_mode: 'wal' });
    db.close();
  }
});

it('waits for another connection’s lock without blocking the event loop, and gives up when patience ends', async () => {
  const path = join(folder, 'locked.db');
  const holder = openDatabase(path, { synchronous: 'FULL' });
  const waiter = openDatabase(path, { synchronous: 'FULL' });
  holder.exec('CREATE TABLE t (n)');
  holder.exec('BEGIN IMMEDIATE');
  await expect(immediate(waiter, () => undefined, { patience: 20 })).rejects.toMatchObject({ code: 'ledger_busy' });
  // Only a free event loop can let the holder go on.
  setTimeout(() => holder.exec('COMMIT'), 30);
  await immediate(waiter, () => waiter.prepare('INSERT INTO t VALUES (1)').run());
  expect({ ...holder.prepare('SELECT count(*) AS n FROM t').get() }).toEqual({ n: 1 });
  holder.close();
  waiter.close();
});

it.each([false, true])('says that a folder is in the place of the file (readOnly %s)', (readOnly) => {
  const path = join(folder, `folder-${readOnly}.db`);
  mkdirSync(path);
  expect(() => openDatabase(path, { synchronous: 'FULL', readOnly })).toThrowError(
    expect.objectContaining({ code: 'no_file', message: `${path} is a folder, not a file.`, details: { file: path } }),
  );
});

it('leaves nothing of work that throws', async () => {
  const db = openDatabase(join(folder, 'thrown.db'), { synchronous: 'FULL' });
  db.exec('CREATE TABLE t (n)');
  const work = () => {
    db.prepare('INSERT INTO t VALUES (1)').run();
    throw new Error('changed its mind');
  };
  await expect(immediate(db, work)).rejects.toThrow('changed its mind');
  expect({ ...db.prepare('SELECT count(*) AS n FROM t').get() }).toEqual({ n: 0 });
  db.close();
});
