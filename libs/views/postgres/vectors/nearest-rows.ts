import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** One row as it is stored. */
export interface NumberedVector {
  readonly bank: number;
  readonly doc: number;
  readonly vector: Float32Array;
}

/** PostgreSQL's binary COPY: signature, flags, length of the extension. */
const header = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const trailer = Buffer.from([0xff, 0xff]);

/** Streams rows into a table (bank integer, doc bigint, vector vector), in full precision: the server rounds as it does everywhere. */
export async function copyVectors(client: ClientBase, table: string, rows: Iterable<NumberedVector>): Promise<void> {
  function* bytes(): Generator<Buffer> {
    yield header;
    for (const row of rows) yield tuple(row);
    yield trailer;
  }
  await pipeline(
    Readable.from(bytes(), { objectMode: false }),
    client.query(copyFrom(`COPY ${table} (bank, doc, vector) FROM STDIN (FORMAT binary)`)),
  );
}

function tuple({ bank, doc, vector }: NumberedVector): Buffer {
  const bytes = Buffer.allocUnsafe(2 + 8 + 12 + 8 + vector.length * 4);
  let at = bytes.writeInt16BE(3, 0);
  at = bytes.writeInt32BE(4, at);
  at = bytes.writeInt32BE(bank, at);
  at = bytes.writeInt32BE(8, at);
  at = bytes.writeBigInt64BE(BigInt(doc), at);
  at = bytes.writeInt32BE(4 + vector.length * 4, at);
  at = bytes.writeInt16BE(vector.length, at);
  at = bytes.writeInt16BE(0, at);
  for (const value of vector) at = bytes.writeFloatBE(value, at);
  return bytes;
}
