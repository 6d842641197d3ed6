import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bundledProgram } from '#test/support/bundled-program.js';
import type { Ledger } from './ledger.js';
import { migrateLedger } from './migrate-ledger.js';
import type { Place } from './place.js';
import { type Places, places, someSteps, trust } from './test-support/places.js';
import { dumpOf, expectMoved, type Follower, follower } from './test-support/random-history.js';

let at: Places;
let program: string;
beforeAll(async () => {
  program = await bundledProgram(new URL('./testing/migrating-process.ts', import.meta.url));
});
afterAll(() => rmSync(program));
beforeEach(async () => {
  at = await places();
});
afterEach(() => at.remove());

/** One append at a time to a server in the next process: slow where processors are shared. */
const patience = 240_000;
const ways = ['to EventStoreDB', 'back from it'] as const;

interface Way {
  readonly source: Place;
  readonly target: Place;
  /** As the command line has them. */
  readonly addresses: readonly [string, string];
  /** A writer's ledgers: where it is, and where it goes on. */
  writer(): Promise<readonly Ledger[]>;
}

async function onTheWay(way: (typeof ways)[number], count: number): Promise<Way> {
  const path = at.file();
  const home = await at.written(path, someSteps(count));
  const engine = await at.inEventStore(home);
  const url = at.server.connectionString;
  const writer = async () => [await at.writerOfFile(path), await at.writerOfEventStore()];
  if (way === 'to EventStoreDB') return { source: home, target: engine, addresses: [path, url], writer };
  await migrateLedger(home, engine);
  const back = at.file();
  const target = await at.inFile(back, engine);
  return {
    source: engine,
    target,
    addresses: [url, back],
    writer: async () => [await at.writerOfEventStore(), await at.writerOfFile(back)],
  };
}

async function expectNothingLost(writing: readonly Follower[], { source, target }: Way, before: readonly string[]) {
  await expect
    .poll(() => writing.every(({ acknowledged }) => acknowledged.at(-1)?.by === 1), { timeout: 30_000 })
    .toBe(true);
  await Promise.all(writing.map((each) => each.stop()));
  const after = await dumpOf(target.ledger);
  expect(after.slice(0, before.length)).toEqual(before);
  const ids = after.map((line) => line.split(' ')[2]!);
  expect(new Set(ids).size).toBe(ids.length);
  const acknowledged = writing.flatMap((each) => each.acknowledged);
  const there = new Set(ids);
  expect(acknowledged.filter(({ id }) => !there.has(id))).toEqual([]);
  expect(acknowledged.filter(({ by }) => by === 0).length).toBeGreaterThan(5);
  await expectMoved(source, target);
}

describe('a ledger that is written to all the while', () => {
  it.each(ways)(
    'loses no acknowledged write, and takes none twice: %s',
    async (way) => {
      const going = await onTheWay(way, 100);
      const before = await dumpOf(going.source.ledger);
      const writing: Follower[] = [];
      for (let each = 0; each < 3; each++) writing.push(follower(await going.writer()));
      await sleep(300);
      expect(await migrateLedger(going.source, going.target)).toMatchObject({ status: 'moved' });
      await expectNothingLost(writing, going, before);
    },
    patience,
  );
});

describe('a migration that is killed again and again', () => {
  it.each(ways)(
    'goes on where the target is, while it is written to: %s',
    async (way) => {
      const going = await onTheWay(way, 250);
      const before = await dumpOf(going.source.ledger);
      const writing = [follower(await going.writer())];
      const run = async (killAfter: number): Promise<string | undefined> => {
        const child = fork(program, [...going.addresses, String(trust)], {
          stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
          execArgv: [],
        });
        let printed = '';
        child.stdout!.on('data', (chunk: Buffer) => {
          printed += chunk.toString();
        });
        const gone = once(child, 'close');
        await once(child, 'message');
        const ended = await Promise.race([gone, sleep(killAfter)]);
        child.kill('SIGKILL');
        const [code] = await gone;
        if (ended) expect(code, printed).toBe(0);
        return ended ? printed : undefined;
      };
      let kills = 0;
      // Longer each time, so that it ends however slow the machine is.
      while (!(await run(100 + kills * 250 + Math.random() * 400))) kills += 1;
      expect(kills).toBeGreaterThan(0);
      await expectNothingLost(writing, going, before);
    },
    patience,
  );
});
