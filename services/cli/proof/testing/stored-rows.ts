import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { hashAlgorithm } from '#events/hash.js';
import { streamKey, toIdColumn } from '#ledger/sqlite/columns.js';

/** An event as it lies in a file, for whoever changes the file behind the ledger's back. */
export interface Row {
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly hash: Buffer;
  readonly bytes: Buffer;
  /** SQLite's number of the row; where it is left out, the one after the row before it. */
  readonly position?: number;
  /** SQLite only: instead of the key of its stream, and of the id as ids are stored. */
  readonly key?: Uint8Array;
  readonly idColumn?: string;
}

/** A file that holds a ledger. */
export interface LedgerFile {
  read(): Row[];
  write(rows: readonly Row[]): void;
}

/** Anybody who can write the file can drop what keeps it append-only. */
export function sqliteFile(path: string): LedgerFile {
  return {
    read() {
      const db = new DatabaseSync(path);
      const rows = db
        .prepare('SELECT position, stream, revision, id, type, hash, bytes FROM events ORDER BY position')
        .all();
      db.close();
      return rows.map((each) => {
        const row = each as unknown as Row & { id: Uint8Array };
        const hex = Buffer.from(row.id).toString('hex');
        const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
        return { ...row, id, hash: Buffer.from(row.hash), bytes: Buffer.from(row.bytes) };
      });
    },
    write(rows) {
      const db = new DatabaseSync(path);
      for (const trigger of ['events_never_replaced', 'events_never_updated', 'events_never_deleted'])
        db.exec(`DROP TRIGGER IF EXISTS ${trigger}`);
      db.exec('DROP INDEX IF EXISTS events_by_stream; DROP INDEX IF EXISTS events_by_id; DELETE FROM events');
      const insert = db.prepare(
        'INSERT INTO events (position, stream_key, revision, id, stream, type, hash, bytes) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      );
      let last = 0;
      for (const { position = last + 1, stream, revision, id, type, hash, bytes, key, idColumn } of rows) {
        insert.run(position, key ?? streamKey(stream), revision, idColumn ?? toIdColumn(id), stream, type, hash, bytes);
        last = position;
      }
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      db.close();
    },
  };
}

interface Line {
  readonly stream: string;
  readonly revision: number;
  readonly created: number;
  readonly events: readonly [id: string, type: string, contentType: string, data: string, metadata: string][];
}

/** The file of the EventStoreDB test server, while it is stopped; what is no event of the ledger stays at its beginning. */
export function testServerFile(folder: string, ledger: string): LedgerFile {
  const path = join(folder, 'events.jsonl');
  const lines = () =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line);
  const isOurs = ({ stream }: Line) => stream.startsWith(`hl.${ledger}.`);
  return {
    read: () =>
      lines()
        .filter(isOurs)
        .flatMap(({ stream, revision, events }) =>
          events.map(([id, type, , data, metadata], index) => ({
            stream,
            revision: revision + index,
            id,
            type,
            bytes: Buffer.from(data, 'base64'),
            hash: Buffer.from(
              (JSON.parse(Buffer.from(metadata, 'base64').toString('utf8')) as { hash: string }).hash,
              'base64url',
            ),
          })),
        ),
    write(rows) {
      const written = rows.map(({ stream, revision, id, type, bytes, hash }): Line => {
        const beside = JSON.stringify({ hash: hash.toString('base64url'), alg: hashAlgorithm });
        const event = [id, type, 'application/octet-stream', bytes.toString('base64')] as const;
        return {
          stream,
          revision,
          created: 1_790_000_000_000,
          events: [[...event, Buffer.from(beside).toString('base64')]],
        };
      });
      const all = [...lines().filter((line) => !isOurs(line)), ...written];
      writeFileSync(path, all.map((line) => `${JSON.stringify(line)}\n`).join(''));
    },
  };
}
