import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { startEventStore, type TestEventStore } from '#test/engines/eventstoredb/start-event-store.js';
import { ledgerContract } from '../ledger.contract.js';
import { openEventStoreLedger } from './eventstoredb-ledger.js';

// A real server when one is given (docs/decisions/0011); ledgers are then left in it under names of this run.
const given = process.env.HINDSIGHT_LEDGER_TEST_EVENTSTORE;
const folder = mkdtempSync(join(tmpdir(), 'hl-eventstore-'));
const run = `test${Date.now().toString(36)}`;
let server: TestEventStore | undefined;
let opened = 0;

beforeAll(async () => {
  if (!given) server = await startEventStore({ folder });
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const open = () => openEventStoreLedger(given ?? server!.connectionString, { name: `${run}n${opened}` });

ledgerContract('eventstoredb', {
  open: () => {
    opened += 1;
    return open();
  },
  openAgain: open,
});
