import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '#config/load-config.js';
import { decodeEnvelope } from '#events/envelope.js';
import { openSqliteLedger } from '#ledger/sqlite/sqlite-ledger.js';
import { verifyLedger } from '#ledger/verify-ledger.js';
import { openEvent } from '#sealing/open-event.js';
import { openKeysDatabase } from '#sealing/sqlite/keys-database.js';
import { sqliteKeyStore } from '#sealing/sqlite/sqlite-key-store.js';
import { bundledProgram } from '#test/support/bundled-program.js';
import { type Embedded, openEmbedded } from './open-embedded.js';

const memories = 40;
const silent = { debug() {}, info() {}, warn() {}, error() {} };
const open = (home: string) => openEmbedded({ config: loadConfig({ flags: { home }, env: {} }).config, log: silent });

let program: string;
beforeAll(async () => {
  program = await bundledProgram(new URL('./testing/erasing-process.ts', import.meta.url));
});

describe('an erasure that is killed', () => {
  it.each([
    ['when it is ordered', ledgerHolds('ErasureOrdered', 1)],
    ['when the first memory is ended', ledgerHolds('MemoryErased', 1)],
    ['when the last memory is ended', ledgerHolds('MemoryErased', memories)],
    ['when the keys are gone', keysMoved],
    ['when it is completed', ledgerHolds('ErasureCompleted', 1)],
  ] as const)('%s comes to the same at the next start, by itself', async (_when, state) => {
    await killedAndResumed(async (home, child) => {
      await Promise.race([state(home), exited(child)]);
    });
  });

  it('at any moment comes to the same at the next start', { timeout: 180_000 }, async () => {
    for (let tries = 0; tries < 8; tries++)
      await killedAndResumed(async (_home, child) => {
        await said(child, 'planned');
        await sleep(Math.random() * 150);
      });
  });
});

/** A home with two people in it, of whom one is erased by a process that is killed; then another one is started. */
async function killedAndResumed(until: (home: string, child: ChildProcess) => Promise<void>): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'hl-erasure-kills-'));
  try {
    const before = await open(home);
    const who = before.caller('write');
    const about = (name: string) =>
      Array.from({ length: memories }, (_, at) => ({ content: `${name} said ${at}`, subjects: [name] }));
    await before.commands.write({ items: about('Ada') }, who);
    await before.commands.write({ items: about('Bob') }, who);
    await before.queries.search({ query: 'what did Ada say', min_score: 0 }, who);
    await before.close();

    const child = fork(program, [home, 'Ada'], { stdio: 'inherit' });
    await until(home, child);
    child.kill('SIGKILL');
    await exited(child);

    // A process that stays looks whether something is unfinished; where the order never stood, nobody was told that it did.
    const after = await open(home);
    try {
      await after.projector.catchUp();
      await after.commands.resumeErasures();
      await after.projector.catchUp();
      expect(await after.views.reader().unfinishedErasures()).toEqual([]);
      const { confirm } = await after.commands.erase({ subject: 'Ada', reason: 'r' }, who);
      await after.commands.erase({ subject: 'Ada', reason: 'r', ...(confirm ? { confirm } : {}) }, who);
      await expectErased(after);
    } finally {
      await after.close();
    }
  } finally {
    await rm(home, { recursive: true });
  }
}

async function expectErased({ ledger, vault, queries, caller }: Embedded): Promise<void> {
  const counts = new Map<string, number>();
  const closed: string[] = [];
  const reads: unknown[] = [];
  for await (const stored of ledger.readAll()) {
    counts.set(stored.type, (counts.get(stored.type) ?? 0) + 1);
    if (stored.type === 'ErasureCompleted') reads.push(decodeEnvelope(stored.bytes).data.recalls);
    try {
      await openEvent(vault, stored.bytes);
    } catch {
      closed.push(stored.type);
    }
  }
  expect(counts.get('MemoryErased')).toBe(memories);
  expect(counts.get('ErasureCompleted')).toBe(counts.get('ErasureOrdered'));
  // What the killed one took is certified as what it took, and not once more by the next.
  expect(reads).toEqual([1, ...reads.slice(1).fill(0)]);
  expect(closed.filter((type) => type === 'MemoryRecorded')).toHaveLength(memories);
  const who = caller('search');
  expect(
    (await queries.search({ query: 'Ada said', min_score: 0, top_k: 100 }, who)).items.filter(({ content }) =>
      `${content}`.includes('Ada'),
    ),
  ).toEqual([]);
  expect((await queries.search({ query: 'Bob said', min_score: 0, top_k: 100 }, who)).items).toHaveLength(memories);
  expect((await verifyLedger(ledger)).broken).toEqual([]);
}

function ledgerHolds(type: string, count: number): (home: string) => Promise<void> {
  return async (home) => {
    const ledger = await openSqliteLedger(join(home, 'ledger.db'));
    try {
      let after: string | undefined;
      for (let found = 0; found < count; await sleep(1))
        for await (const stored of ledger.readAll(after === undefined ? {} : { after })) {
          after = stored.position;
          if (stored.type === type) found += 1;
        }
    } finally {
      await ledger.close();
    }
  };
}

async function keysMoved(home: string): Promise<void> {
  const store = sqliteKeyStore(await openKeysDatabase(join(home, 'keys.db')));
  try {
    while (((await store.epoch())?.epoch ?? 1) < 2) await sleep(1);
  } finally {
    await store.close();
  }
}

function exited(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => child.once('exit', () => resolve()));
}

function said(child: ChildProcess, what: string): Promise<void> {
  return new Promise((resolve) => {
    child.on('message', (message) => {
      if (message === what) resolve();
    });
    child.once('exit', () => resolve());
  });
}
