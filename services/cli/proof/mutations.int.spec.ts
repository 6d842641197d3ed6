import { generateKeyPairSync } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '#config/load-config.js';
import { openEventStoreLedger } from '#ledger/eventstoredb/eventstoredb-ledger.js';
import type { Ledger } from '#ledger/ledger.js';
import { sealLedger } from '#ledger/seal-ledger.js';
import { gapsIn } from '#ledger/sqlite/gaps.js';
import { openSqliteLedger } from '#ledger/sqlite/sqlite-ledger.js';
import { type VerifyOptions, verifyLedger } from '#ledger/verify-ledger.js';
import { type ExportedRoot, signerWith } from '#proof/root.js';
import { exportedOf } from '#proof/seal-stream.js';
import { startEventStore } from '#test/engines/eventstoredb/start-event-store.js';
import { openEmbedded } from '../embedded/open-embedded.js';
import { plainLog } from '../embedded/plain-log.js';
import { againstRoot, type Finding, findingsOf } from './findings.js';
import { type Mutation, mutations } from './testing/mutations.js';
import { type LedgerFile, type Row, sqliteFile, testServerFile } from './testing/stored-rows.js';

const folder = mkdtempSync(join(tmpdir(), 'hl-mutations-'));
const whole = join(folder, 'whole.db');
let root: ExportedRoot;
let rows: Row[];
let made = 0;

/** Written through the commands, with sealed contents: revisions, a retraction, two signed seals, of which the last is exported. */
beforeAll(async () => {
  const { config } = loadConfig({ flags: { home: join(folder, 'home') }, env: { HINDSIGHT_LEDGER_SEAL_EVENTS: '0' } });
  const home = await openEmbedded({ config, log: plainLog('silent', () => undefined) });
  const { commands, caller, ledger, sources } = home;
  const { privateKey } = generateKeyPairSync('ed25519');
  const tools = { ...sources, principal: 'os:tester', signer: async () => signerWith(privateKey) };
  const asked = caller('memory_write');
  for (const engine of ['MySQL', 'PostgreSQL', 'SQLite']) {
    await commands.write({ content: `the database is ${engine}`, key: 'project.database' }, asked);
    await commands.write({ content: `${engine} was looked at` }, asked);
  }
  await sealLedger(ledger, tools);
  const { memory_id } = (await commands.write(
    { content: 'deploys go out on Thursdays', key: 'deploy.day' },
    asked,
  )) as { memory_id: string };
  await commands.forget({ memory_id, reason: 'they do not' }, asked);
  for (let each = 0; each < 5; each++) await commands.write({ content: `step ${each} was done` }, asked);
  const { seal } = await sealLedger(ledger, tools);
  root = exportedOf(ledger.id, seal!);
  await home.close();
  rows = sqliteFile(home.paths.ledger).read();
  copyFileSync(home.paths.ledger, whole);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Caught {
  readonly first: Finding | undefined;
  readonly all: readonly Finding[];
}

async function verified(ledger: Ledger, file: Pick<VerifyOptions, 'gapBetween' | 'strayed'> = {}): Promise<Caught> {
  try {
    const found = await verifyLedger(ledger, { ...file, against: root });
    const all = findingsOf(found, againstRoot(ledger.id, root, found));
    return { first: all[0], all };
  } finally {
    await ledger.close();
  }
}

const table = new Map<string, string[]>();
function tell(where: string, kind: string, { first }: Caught): void {
  const message = first?.message
    .replaceAll(/hl\.[0-9a-f]+\.[a-z0-9]+\.(\w+)-[\w-]+/g, 'hl.….$1-…')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…');
  table.set(where, [...(table.get(where) ?? []), `| ${kind} | ${first?.by} | ${message} |`]);
}
afterAll(() => {
  for (const [where, lines] of table)
    process.stdout.write(`\n${where}\n| kind | caught by | message |\n|---|---|---|\n${lines.join('\n')}\n`);
});

describe('in a file of SQLite', () => {
  async function caughtIn(change: (file: LedgerFile) => void): Promise<Caught> {
    const path = join(folder, `${++made}.db`);
    copyFileSync(whole, path);
    change(sqliteFile(path));
    const ledger = await openSqliteLedger(path, { readOnly: true });
    return verified(ledger, { gapBetween: gapsIn(path), strayed: ledger.strayed });
  }

  it('nothing is wrong where nothing was changed', async () => {
    expect((await caughtIn((file) => file.write(file.read()))).all).toEqual([]);
    expect(rows.filter(({ type }) => type === 'LedgerSealed')).toHaveLength(2);
  });

  it.each(mutations.map((each): [string, Mutation] => [each.kind, each]))(
    '%s is caught',
    async (kind, { change, by, says }) => {
      const caught = await caughtIn((file) => file.write(change(file.read())));
      tell('SQLite', kind, caught);
      expect(caught.first).toMatchObject({ by, message: expect.stringContaining(says) });
    },
  );

  it('whatever is changed before a seal makes no other seal wrong than the one that covers it', async () => {
    const removed = mutations.find(({ kind }) => kind === 'an event removed, the numbers closed up')!;
    const { all } = await caughtIn((file) => file.write(removed.change(file.read())));
    expect(all.map(({ by }) => by)).toEqual(['seal', 'exported root']);
  });
});

describe('in EventStoreDB', () => {
  async function caughtIn(change: (rows: readonly Row[]) => Row[]): Promise<Caught> {
    const data = join(folder, `events-${++made}`);
    mkdirSync(data);
    const server = await startEventStore({ folder: data });
    try {
      const id = root.ledger;
      const open = () => openEventStoreLedger(server.connectionString, { random: () => Buffer.from(id, 'hex') });
      await (await open()).close();
      testServerFile(data, id).write(change(rows));
      await server.restart();
      return await verified(await open());
    } finally {
      await server.stop();
    }
  }

  it('nothing is wrong where nothing was changed', async () => {
    expect((await caughtIn((all) => [...all])).all).toEqual([]);
  });

  const possible = mutations.filter(({ there }) => there !== 'cannot be done');
  it.each(possible.map((each): [string, Mutation] => [each.kind, each]))(
    '%s is caught',
    async (kind, { change, by, says, there }) => {
      const caught = await caughtIn(change);
      tell('EventStoreDB (test server)', kind, caught);
      const expected = { by, says, ...(typeof there === 'object' ? there : {}) };
      expect(caught.first).toMatchObject({ by: expected.by, message: expect.stringContaining(expected.says) });
    },
  );
});
