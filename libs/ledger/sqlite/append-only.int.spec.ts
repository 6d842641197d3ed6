import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqliteLedger } from './sqlite-ledger.js';
import { writtenLedger } from './testing/broken-files.js';

const folder = mkdtempSync(join(tmpdir(), 'hl-append-only-'));
const path = join(folder, 'ledger.db');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** With any SQLite tool at hand, so through none of the adapter's own code. */
describe('the file itself refuses', () => {
  beforeAll(() => writtenLedger(path, 3));

  const columns = 'position, stream_key, revision, id, stream, type, hash, bytes';
  it.each([
    ['UPDATE', `UPDATE events SET bytes = x'00' WHERE position = 2`],
    ['DELETE', 'DELETE FROM events WHERE position = 2'],
    [
      'INSERT OR REPLACE of a position',
      `INSERT OR REPLACE INTO events VALUES (2, x'01', 0, x'02', 's', 't', x'', x'')`,
    ],
    [
      'REPLACE of a stream and revision',
      `REPLACE INTO events (${columns}) SELECT NULL, stream_key, revision, x'03', stream, type, hash, x'00' FROM events WHERE position = 2`,
    ],
    [
      'REPLACE of an event id',
      `REPLACE INTO events (${columns}) SELECT NULL, x'04', 9, id, stream, type, hash, x'00' FROM events WHERE position = 2`,
    ],
    [
      'UPSERT',
      `INSERT INTO events (${columns}) SELECT ${columns} FROM events WHERE position = 2 ON CONFLICT DO UPDATE SET bytes = x'00'`,
    ],
    ['UPDATE OR REPLACE', 'UPDATE OR REPLACE events SET position = 1 WHERE position = 2'],
    ['UPDATE of the id', `UPDATE meta SET value = 'other'`],
    ['REPLACE of the id', `REPLACE INTO meta VALUES ('ledger', 'other')`],
    ['DELETE of the id', 'DELETE FROM meta'],
  ])('%s', (_, statement) => {
    const db = new DatabaseSync(path);
    const state = () => JSON.stringify(db.prepare('SELECT *, (SELECT value FROM meta) AS ledger FROM events').all());
    const before = state();
    expect(() => db.exec(statement)).toThrow(/append-only|never changes/);
    expect(state()).toBe(before);
    db.close();
  });
});

it('says which format a newer file has, and leaves other programs’ databases alone', async () => {
  const newer = join(folder, 'newer.db');
  await writtenLedger(newer, 1);
  const db = new DatabaseSync(newer);
  db.exec('PRAGMA user_version = 7');
  db.close();
  await expect(openSqliteLedger(newer)).rejects.toMatchObject({
    code: 'newer_format',
    details: { format: 7, known: 1 },
  });

  const foreign = join(folder, 'foreign.db');
  const other = new DatabaseSync(foreign);
  other.exec('CREATE TABLE notes (text)');
  other.close();
  await expect(openSqliteLedger(foreign)).rejects.toMatchObject({ code: 'invalid_config' });
});
