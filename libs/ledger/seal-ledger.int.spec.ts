import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { decodeEnvelope } from '#events/envelope.js';
import { merkleTree } from '#proof/merkle-tree.js';
import { isSignedBy, signerWith } from '#proof/root.js';
import { exportedOf, type Seal, sealStream, statementOf } from '#proof/seal-stream.js';
import { toBase64url } from '#proof/tree-hash.js';
import type { Ledger } from './ledger.js';
import { sampleStream } from './sample-events.js';
import { lastSeal, type SealTools, sealLedger } from './seal-ledger.js';
import { openSqliteLedger } from './sqlite/sqlite-ledger.js';
import { tamper } from './sqlite/testing/broken-files.js';
import { verifyLedger } from './verify-ledger.js';

const folder = mkdtempSync(join(tmpdir(), 'hl-seal-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let made = 0;
let clock = Date.parse('2026-11-01T00:00:00.000Z');
const tools: SealTools = {
  now: () => clock++,
  uuid: () => `01890000-0000-7000-8000-${String(++made).padStart(12, '0')}`,
  principal: 'os:tester',
};
const freshPath = () => join(folder, `${++made}.db`);

async function write(ledger: Ledger, events: number): Promise<void> {
  for (let written = 0; written < events; written++) {
    const stream = sampleStream(ledger.id);
    await ledger.append(stream.name, [stream.next()], 'no_stream');
  }
}

async function rootOf(ledger: Ledger, size: number): Promise<string> {
  const tree = merkleTree();
  for await (const event of ledger.readAll({ limit: size })) tree.append(event.hash);
  expect(tree.size).toBe(size);
  return toBase64url(tree.root());
}

async function sealsOf(ledger: Ledger): Promise<Seal[]> {
  const seals: Seal[] = [];
  for await (const { bytes } of ledger.readStream(sealStream(ledger.id)))
    seals.push(decodeEnvelope(bytes).data as unknown as Seal);
  return seals;
}

describe('a seal', () => {
  it('covers all events before it, earlier seals too, and is made when there is something new only', async () => {
    const ledger = await openSqliteLedger(freshPath());
    expect(await sealLedger(ledger, tools)).toEqual({ outcome: 'few', seal: undefined });
    await write(ledger, 3);
    const first = await sealLedger(ledger, tools);
    expect(first).toMatchObject({ outcome: 'sealed', seal: { size: 3, root: await rootOf(ledger, 3) } });
    expect(await sealLedger(ledger, tools)).toEqual({ outcome: 'few', seal: first.seal });
    await write(ledger, 1);
    expect(await sealLedger(ledger, tools)).toMatchObject({ seal: { size: 5, root: await rootOf(ledger, 5) } });
    expect(await sealsOf(ledger)).toHaveLength(2);
    expect((await verifyLedger(ledger)).seals).toMatchObject({ count: 2, faults: [], unchecked: 0, unsealed: 1 });
    await ledger.close();
  });

  it('goes on from the last one, whoever made it: what it covers is not read again', async () => {
    const path = freshPath();
    const ledger = await openSqliteLedger(path);
    await write(ledger, 600);
    await sealLedger(ledger, tools);
    await write(ledger, 2);
    const other = await openSqliteLedger(path);
    let read = 0;
    const counting: Ledger = {
      ...other,
      async *readAll(options) {
        for await (const event of other.readAll(options)) {
          read += 1;
          yield event;
        }
      },
    };
    expect(await sealLedger(counting, tools)).toMatchObject({ seal: { size: 603, root: await rootOf(ledger, 603) } });
    expect(read).toBe(3);
    await other.close();
    await ledger.close();
  });

  it('waits for as many events as it is told, and leaves more than it is told to somebody else', async () => {
    const ledger = await openSqliteLedger(freshPath());
    await write(ledger, 4);
    expect(await sealLedger(ledger, tools, { least: 5 })).toEqual({ outcome: 'few', seal: undefined });
    expect(await sealLedger(ledger, tools, { most: 3 })).toEqual({ outcome: 'many', seal: undefined });
    expect(await sealLedger(ledger, tools, { least: 4, most: 4 })).toMatchObject({ outcome: 'sealed' });
    await ledger.close();
  });

  it('is one of a chain when many processes seal and write at once: every one of them holds', async () => {
    const path = freshPath();
    const ledgers = await Promise.all(Array.from({ length: 4 }, () => openSqliteLedger(path)));
    await Promise.all(
      ledgers.map(async (ledger) => {
        for (let round = 0; round < 15; round++) {
          await write(ledger, 3);
          await sealLedger(ledger, tools).catch((error: { code?: string }) => {
            if (error.code !== 'wrong_expected_revision') throw error;
          });
        }
      }),
    );
    const [ledger] = ledgers as Ledger[] as [Ledger];
    const { seals, broken, events } = await verifyLedger(ledger);
    expect(broken).toEqual([]);
    expect(seals).toMatchObject({ faults: [], unchecked: 0 });
    expect(seals.count).toBeGreaterThan(15);
    expect(events).toBe(180 + seals.count);
    for (const { size, root } of await sealsOf(ledger)) expect(root).toBe(await rootOf(ledger, size));
    for (const each of ledgers) await each.close();
  });

  it('lies never before the one before it in time', async () => {
    const ledger = await openSqliteLedger(freshPath());
    await write(ledger, 1);
    await sealLedger(ledger, { ...tools, now: () => Date.parse('2027-01-01T00:00:00.000Z') });
    await write(ledger, 1);
    await sealLedger(ledger, { ...tools, now: () => Date.parse('2020-01-01T00:00:00.000Z') });
    expect((await sealsOf(ledger)).map(({ at }) => at)).toEqual([
      '2027-01-01T00:00:00.000Z',
      '2027-01-01T00:00:00.000Z',
    ]);
    expect((await verifyLedger(ledger)).broken).toEqual([]);
    await ledger.close();
  });

  it('is signed by whoever has a key; the signature is of nothing else', async () => {
    const ledger = await openSqliteLedger(freshPath());
    await write(ledger, 2);
    const { privateKey } = generateKeyPairSync('ed25519');
    const { seal } = await sealLedger(ledger, { ...tools, signer: async () => signerWith(privateKey) });
    const { v, signature, publicKey, ...statement } = exportedOf(ledger.id, seal!);
    expect(v).toBe(1);
    const signed = { signature: signature!, publicKey: publicKey! };
    expect(isSignedBy(statement, signed)).toBe(true);
    expect(isSignedBy(statementOf(ledger.id, seal!), signed)).toBe(true);
    for (const other of [
      { size: 3 },
      { at: '2026-11-01T00:00:00.009Z' },
      { ledger: 'other' },
      { root: statement.head },
    ])
      expect(isSignedBy({ ...statement, ...other }, signed)).toBe(false);
    expect(
      isSignedBy(statement, {
        ...signed,
        publicKey: signerWith(generateKeyPairSync('ed25519').privateKey)(statement).publicKey,
      }),
    ).toBe(false);
    expect((await verifyLedger(ledger)).seals).toMatchObject({ signed: 1, signers: [publicKey] });
    await ledger.close();
  });

  it('is not put on a ledger whose last seal is wrong, or covers what is not there', async () => {
    for (const wrong of [
      `UPDATE events SET bytes = CAST(replace(CAST(bytes AS TEXT), '"size":2', '"size":1') AS BLOB) WHERE type = 'LedgerSealed'`,
      'DELETE FROM events WHERE position = 2',
    ]) {
      const path = freshPath();
      const ledger = await openSqliteLedger(path);
      await write(ledger, 2);
      await sealLedger(ledger, tools);
      await write(ledger, 1);
      await ledger.close();
      tamper(path, wrong);
      const again = await openSqliteLedger(path);
      await expect(sealLedger(again, tools)).rejects.toMatchObject({ code: 'ledger_corrupt' });
      await again.close();
    }
  });

  it('says where it ends by stream and revision', async () => {
    const ledger = await openSqliteLedger(freshPath());
    const stream = sampleStream(ledger.id);
    await ledger.append(stream.name, [stream.next(), stream.next()], 'no_stream');
    const { seal } = await sealLedger(ledger, tools);
    expect(seal!.head).toMatchObject({ stream: stream.name, revision: 1 });
    expect((await lastSeal(ledger))!.seal).toEqual(seal);
    await ledger.close();
  });
});
