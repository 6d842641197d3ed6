import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ledger } from '#ledger/ledger.js';
import { openSqliteLedger } from '#ledger/sqlite/sqlite-ledger.js';
import { openFileVault } from '#sealing/sqlite/open-file-vault.js';
import type { Vault } from '#sealing/vault.js';
import { engine, freshDatabase, type TestDatabase } from '#test/engines/engines.js';
import { bundledProgram } from '#test/support/bundled-program.js';
import { openPostgresViews } from '#views/postgres/open-postgres-views.js';
import { openSqliteViews } from '#views/sqlite/open-sqlite-views.js';
import type { Views } from '#views/views.js';
import { createProjector } from '../../create-projector.js';
import { kafkaElection } from '../../feed/kafka/kafka-election.js';
import { openKafkaPublisher } from '../../feed/kafka/kafka-publisher.js';
import { allProjections } from '../../projections/all-projections.js';
import { runRelay } from '../../relay/run-relay.js';
import { settled } from '../../test-support/fed-station.js';
import { type History, history } from '../../test-support/history.js';
import { digests, live } from '../../test-support/test-home.js';
import { createWaitingProjector } from '../create-waiting-projector.js';

const partitions = 4;
const names = allProjections.map(({ name }) => name);
const log = { info: () => undefined, warn: () => undefined };

describe('projectors on Kafka and PostgreSQL, as processes', () => {
  const children = new Set<ChildProcess>();
  const relaying = new AbortController();
  let program: string;
  let home: string;
  let ledger: Ledger;
  let vault: Vault;
  let database: TestDatabase;
  let operator: Views;
  let banks: History[];
  let relay: Promise<void>;

  const spawned = (): ChildProcess => {
    const args = [program, home, database.url, engine('kafka'), String(partitions)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    children.add(child);
    child.once('exit', () => children.delete(child));
    return child;
  };
  const ended = async (child: ChildProcess, signal: NodeJS.Signals) => {
    const gone = once(child, 'exit');
    child.kill(signal);
    return (await gone) as [number | null, string | null];
  };
  const write = async (rounds: number) => {
    for (let round = 0; round < rounds; round++) await Promise.all(banks.map((events) => live(events, 12)));
  };
  const expectSettled = async () => {
    await settled(operator, ledger, names, 60_000);
    const views = await openSqliteViews(join(home, `plain-${randomBytes(3).toString('hex')}.db`), {
      ledger: ledger.id,
      shapes: allProjections,
      log,
    });
    const plain = createProjector({ ledger, views, vault, log });
    await plain.catchUp({ everything: true });
    expect(await digests({ views: operator })).toEqual(await digests({ views }));
    await plain.close();
    await views.close();
  };

  beforeAll(async () => {
    program = await bundledProgram(new URL('../../test-support/fed-process.ts', import.meta.url));
    home = await mkdtemp(join(tmpdir(), 'hl-fed-'));
    ledger = await openSqliteLedger(join(home, 'ledger.db'));
    const paths = { keysDb: join(home, 'keys.db'), masterKeyFile: join(home, 'master.key') };
    vault = await openFileVault(paths, { random: randomBytes }, { ledgerHasEvents: false });
    banks = Array.from({ length: 6 }, (_, index) => history(ledger, vault, `b${index}`, `${index}-`));
    database = await freshDatabase();
    const shapes = allProjections;
    operator = await openPostgresViews(database.url, {
      ledger: ledger.id,
      shapes,
      partitions,
      role: 'projector',
      log,
      poolSize: 4,
    });
    const place = { brokers: [engine('kafka')], ledger: ledger.id, partitions };
    const elect = kafkaElection({ ...place, log });
    relay = runRelay({ ledger, openPublisher: () => openKafkaPublisher(place), elect, log }, relaying.signal);
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    relaying.abort();
    await relay;
    await operator.close();
    await ledger.close();
    await vault.close();
    await database.drop();
    await rm(home, { recursive: true });
    await rm(program);
  });

  it('share the work, and lose and double nothing when they are killed, stopped and started', async () => {
    const [one, two] = [spawned(), spawned()];
    await write(2);
    await expectSettled();
    const writing = write(6);
    await sleep(300);
    await ended(one, 'SIGKILL');
    const three = spawned();
    await writing;
    await ended(two, 'SIGKILL');
    await write(1);
    await expectSettled();
    expect(await ended(three, 'SIGTERM')).toEqual([0, null]);
  });

  it('follow what a replay has built, while it is being written to', async () => {
    const [one, two] = [spawned(), spawned()];
    await settled(operator, ledger, names, 60_000);
    const writing = write(4);
    const replaying = createWaitingProjector({ ledger, vault, views: operator, log });
    const replayed = await replaying.replay({ check: true });
    expect(replayed.projections.map(({ matches }) => matches)).toEqual(allProjections.map(() => true));
    await writing;
    await replaying.catchUp();
    await expectSettled();
    expect(await ended(one, 'SIGTERM')).toEqual([0, null]);
    expect(await ended(two, 'SIGTERM')).toEqual([0, null]);
  });

  it('are missed by name when none runs', async () => {
    await banks[0]!.write('late', {});
    const waiting = createWaitingProjector({ ledger, vault, views: operator, log }, { patience: 300 });
    await expect(waiting.catchUp()).rejects.toMatchObject({
      code: 'views_behind',
      message: expect.stringMatching(/memories lacks 1 in partition \d/),
    });
  });
});
