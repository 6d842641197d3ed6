import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { placeContract } from '../place.contract.js';
import { sampleStream } from '../sample-events.js';
import { openSqliteLedger } from './sqlite-ledger.js';
import { openSqlitePlace } from './sqlite-place.js';

describe('a file', () => {
  placeContract(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hl-place-'));
    const path = join(folder, 'ledger.db');
    return {
      open: (coming) => openSqlitePlace(path, { shown: 'a file', coming }),
      writer: () => openSqliteLedger(path),
      remove: async () => rmSync(folder, { recursive: true }),
    };
  });

  it('refuses inserts of whatever program once the ledger has left', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hl-place-'));
    const path = join(folder, 'ledger.db');
    const ledger = await openSqliteLedger(path);
    const stream = sampleStream(ledger.id);
    await ledger.append(stream.name, [stream.next()], 'no_stream');
    const place = await openSqlitePlace(path, { shown: 'a file' });
    await place.close({ id: 'x', shown: 'y' });
    const raw = new DatabaseSync(path);
    expect(() =>
      raw.exec(`INSERT INTO events SELECT 2, x'00', 0, x'01', stream, type, hash, bytes FROM events`),
    ).toThrow(/has moved/);
    raw.close();
    await place.leave();
    await ledger.close();
    rmSync(folder, { recursive: true });
  });

  it('is not made where none is to come', async () => {
    await expect(openSqlitePlace(join(tmpdir(), 'none', 'ledger.db'), { shown: 'a file' })).rejects.toMatchObject({
      code: 'file_not_found',
    });
  });
});
