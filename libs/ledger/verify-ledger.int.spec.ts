import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { encodeEvent } from '#events/envelope.js';
import { eventHash } from '#events/hash.js';
import { memoryStream } from '#events/stream-name.js';
import { sampleStream } from './sample-events.js';
import { gapsIn } from './sqlite/gaps.js';
import { openSqliteLedger } from './sqlite/sqlite-ledger.js';
import { tamper, writtenLedger } from './sqlite/testing/broken-files.js';
import { type Verification, verifyLedger } from './verify-ledger.js';

const folder = mkdtempSync(join(tmpdir(), 'hl-verify-'));
let made = 0;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function verifyAfter(...statements: string[]): Promise<Verification> {
  const path = join(folder, `${++made}.db`);
  await writtenLedger(path, 5);
  tamper(path, ...statements);
  const ledger = await openSqliteLedger(path, { readOnly: true });
  const verification = await verifyLedger(ledger, { gapBetween: gapsIn(path) });
  await ledger.close();
  return verification;
}

describe('verify', () => {
  it('finds a whole ledger whole, and reports how far it is', async () => {
    const path = join(folder, 'whole.db');
    await writtenLedger(path, 1500);
    const ledger = await openSqliteLedger(path);
    const progress: number[] = [];
    const found = await verifyLedger(ledger, {
      gapBetween: gapsIn(path),
      onProgress: (events) => progress.push(events),
    });
    expect(found).toMatchObject({ events: 3000, streams: 1500, head: await ledger.head(), broken: [], missing: [] });
    expect(found.firstFault).toBeUndefined();
    expect(progress).toEqual([2000, 3000]);
    await ledger.close();
  });

  it('names an event whose bytes were changed', async () => {
    const { firstFault, broken } = await verifyAfter(
      `UPDATE events SET bytes = CAST(replace(CAST(bytes AS TEXT), 'os:tester', 'os:mallory') AS BLOB) WHERE position = 3`,
    );
    expect(firstFault).toMatchObject({ position: '0000000000000003', revision: 0 });
    expect(firstFault!.what).toContain('hash');
    expect(broken).toHaveLength(1);
  });

  it('names an event whose bytes and hash were both changed, by the event after it', async () => {
    const forged = sampleStream('0'.repeat(16)).next();
    const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
    const { firstFault } = await verifyAfter(
      `UPDATE events SET bytes = x'${hex(forged.bytes)}', hash = x'${hex(forged.hash)}' WHERE position = 3`,
    );
    expect(firstFault).toMatchObject({ position: '0000000000000003' });
    expect(firstFault!.what).toContain('ledger');
  });

  it.each([
    ['stream', `UPDATE events SET stream = stream || '0' WHERE position = 4`],
    ['type', `UPDATE events SET type = 'MemoryRestored' WHERE position = 4`],
    ['revision', 'UPDATE events SET revision = 8 WHERE position = 4'],
    ['id', `UPDATE events SET id = x'00000000000000000000000000000000' WHERE position = 4`],
  ])('names an event whose stored %s is not that of its bytes', async (column, statement) => {
    const { firstFault } = await verifyAfter(statement);
    expect(firstFault).toMatchObject({ position: '0000000000000004' });
    expect(firstFault!.what).toContain(column);
  });

  it('sees that an event was taken out, in its stream and in the order', async () => {
    const { missing, firstFault } = await verifyAfter('DELETE FROM events WHERE position = 5');
    expect(missing).toEqual([{ first: '0000000000000005', last: '0000000000000005' }]);
    expect(firstFault).toMatchObject({ position: '0000000000000006', revision: 1 });
    expect(firstFault!.what).toContain('gone');
  });

  it('counts every broken stream once, and goes on', async () => {
    const { broken, events } = await verifyAfter(
      `UPDATE events SET hash = zeroblob(32) WHERE position IN (1, 2, 5, 9)`,
    );
    expect(broken.map((each) => each.position)).toEqual(['0000000000000001', '0000000000000005', '0000000000000009']);
    expect(events).toBe(10);
  });

  it('names an event that follows another than it was written after, or lies before it in time', async () => {
    const path = join(folder, 'chain.db');
    const ledger = await openSqliteLedger(path);
    const memoryId = '01890000-0000-7000-8000-000000000001';
    const name = memoryStream(ledger.id, 'b1', memoryId);
    const event = (revision: number, previous: string | null, recordedAt: string) =>
      encodeEvent({
        v: 1,
        hashAlgorithm: 'hl-sha256-1',
        id: `01890000-0000-7000-8000-00000000010${revision}`,
        ledger: ledger.id,
        bank: 'b1',
        stream: name,
        revision,
        type: 'MemoryForgotten',
        schema: 1,
        recordedAt,
        principal: 'os:tester',
        previous,
        data: { memoryId },
      });
    const first = event(0, null, '2026-03-01T00:00:00.000Z');
    const hash = Buffer.from(first.hash).toString('base64url');
    const earlier = event(1, hash, '2026-02-01T00:00:00.000Z');
    const astray = event(1, Buffer.from(eventHash(Buffer.of(1))).toString('base64url'), '2026-04-01T00:00:00.000Z');
    await ledger.append(name, [first], 'no_stream');
    for (const [second, words] of [
      [earlier, 'recorded time'],
      [astray, 'written after'],
    ] as const) {
      const chain = [first, second].map((each, index) => ({ ...each, position: String(index + 1) }));
      const { firstFault } = await verifyLedger({
        ...ledger,
        head: async () => '2',
        async *readAll() {
          yield* chain;
        },
      });
      expect(firstFault).toMatchObject({ position: '2', stream: name });
      expect(firstFault!.what).toContain(words);
    }
    await ledger.close();
  });
});
