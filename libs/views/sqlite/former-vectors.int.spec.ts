import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { vectorShapes } from '../vectors.contract.js';
import type { Views } from '../views.js';
import { openSqliteViews } from './open-sqlite-views.js';

/** A views.db as the release before vectors were sealed left it. */
const log = { info: () => undefined, warn: () => undefined };
const space = { model: 'ab'.repeat(32), dimensions: 384 };
const count = 500;
const packed = Array.from({ length: count }, () => randomBytes(388));
let folder: string;
let path: string;
const open = (): Promise<Views> => openSqliteViews(path, { ledger: 'l1', shapes: vectorShapes, log });
const bytes = () => Buffer.concat([path, `${path}-wal`].map((file) => readFileSync(file)));
const found = () => packed.filter((each) => bytes().includes(each)).length;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hl-former-'));
  path = join(folder, 'views.db');
  const views = await open();
  await views.vectors.make(space);
  await views.vectors.put('b1', space, {
    from: { mark: 0, changes: 0 },
    rows: [{ doc: 0, sealed: randomBytes(440) }],
    mark: count,
  });
  await views.close();
  const db = new DatabaseSync(path);
  db.exec(`
    DROP TABLE hl_vectors;
    CREATE TABLE hl_vectors (
      bank INTEGER NOT NULL, doc INTEGER NOT NULL, space INTEGER NOT NULL, before INTEGER, changed INTEGER NOT NULL, packed BLOB,
      PRIMARY KEY (bank, doc, space)) WITHOUT ROWID;
    CREATE INDEX hl_vectors_blank ON hl_vectors (bank, doc) WHERE packed IS NULL;
    INSERT OR IGNORE INTO hl_vector_banks VALUES (1, 3, 2);
    PRAGMA user_version = 1`);
  const put = db.prepare('INSERT INTO hl_vectors VALUES (1, ?, 1, NULL, 0, ?)');
  for (const [doc, each] of packed.entries()) put.run(doc, each);
  db.close();
});
afterEach(() => rmSync(folder, { recursive: true }));

it('loses the vectors that were not sealed, in its pages and its log, once, whoever opens it first', async () => {
  expect(packed.filter((each) => readFileSync(path).includes(each)).length).toBeGreaterThan(count / 2);
  const opened = await Promise.all([open(), open(), open()]);
  expect(found()).toBe(0);
  for (const views of opened) {
    expect(await views.vectors.spaces()).toEqual([space]);
    const { mark, changes } = await views.reader().vectorState('b1', space);
    expect({ mark, changes }).toEqual({ mark: 0, changes: 4 });
    expect(await views.reader().vectorsFrom('b1', space, 0, 9)).toEqual([]);
  }
  // What was under way in the former release is refused.
  const late = { from: { mark: count, changes: 3 }, rows: [{ doc: 0, sealed: randomBytes(440) }], mark: count };
  await expect(opened[0].vectors.put('b1', space, late)).rejects.toMatchObject({ code: 'checkpoint_moved' });
  const sealed = randomBytes(440);
  await opened[1].vectors.put('b1', space, { from: { mark: 0, changes: 4 }, rows: [{ doc: 0, sealed }], mark: 1 });
  for (const views of opened) await views.close();
  const again = await open();
  expect((await again.reader().vectorsFrom('b1', space, 0, 9)).map(({ doc }) => doc)).toEqual([0]);
  await again.close();
});
