import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { isHindsightError } from '#contract/errors.js';
import { startEventStore } from '#test/engines/eventstoredb/start-event-store.js';
import type { Ledger } from '../ledger.js';
import { sampleStream } from '../sample-events.js';
import { lastSeal, sealLedger } from '../seal-ledger.js';
import { verifyLedger } from '../verify-ledger.js';
import { openEventStoreLedger } from './eventstoredb-ledger.js';

const folder = mkdtempSync(join(tmpdir(), 'hl-eventstore-seals-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let made = 0;
const tools = {
  now: Date.now,
  uuid: () => `01890000-0000-7000-8000-${String(++made).padStart(12, '0')}`,
  principal: 'system',
};

it('seals hold that several processes make while they write, across a restart of the server', async () => {
  const server = await startEventStore({ folder });
  const ledgers = [
    await openEventStoreLedger(server.connectionString),
    await openEventStoreLedger(server.connectionString),
  ];
  const work = async (ledger: Ledger) => {
    for (let round = 0; round < 8; round++) {
      for (let each = 0; each < 5; each++) {
        const stream = sampleStream(ledger.id);
        await ledger.append(stream.name, [stream.next(), stream.next()], 'no_stream');
      }
      await sealLedger(ledger, tools).catch((error: unknown) => {
        if (!isHindsightError(error, 'wrong_expected_revision')) throw error;
      });
    }
  };
  await Promise.all(ledgers.map(work));
  await server.restart();
  const [ledger] = ledgers as [Ledger];
  await work(ledger);
  const { seals, broken, events } = await verifyLedger(ledger);
  expect({ broken, faults: seals.faults, unchecked: seals.unchecked }).toEqual({
    broken: [],
    faults: [],
    unchecked: 0,
  });
  expect(seals.count).toBeGreaterThan(8);
  expect(events).toBe(240 + seals.count);
  expect((await lastSeal(ledger))!.seal.size).toBe(events - seals.unsealed);
  for (const each of ledgers) await each.close();
  await server.stop();
});
