import { setImmediate as breathe, setTimeout as sleep } from 'node:timers/promises';
import { fc, test } from '@fast-check/vitest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HotStore } from './hot-store.js';
import { bankHistory } from './test-support/bank-history.js';
import { type HotBench, hotBench, until } from './test-support/hot-bench.js';

let bench: HotBench;
beforeAll(async () => {
  bench = await hotBench();
});
afterAll(() => bench[Symbol.asyncDispose]());

let banks = 0;
async function freshBank(): Promise<string> {
  const bank = `b${++banks}`;
  await bench.vault.bankKeys(bank);
  return bank;
}

describe('the reader with a cache', () => {
  it('answers from the cache only at the head that an answer was kept at', async () => {
    const bank = await freshBank();
    const history = bankHistory(bank);
    history.write('m1', 'k1');
    const read = async () => {
      const reader = bench.hot.reader(history.reader, 's1');
      await reader.headMoment(bank);
      return [await reader.memory(bank, 'm1'), await reader.memoryByKey(bank, 'k1')];
    };
    const plain = [await history.reader.memory(bank, 'm1'), await history.reader.memoryByKey(bank, 'k1')];
    expect(await read()).toEqual(plain);
    await until(async () => {
      const before = history.reads;
      expect(await read()).toEqual(plain);
      return history.reads === before + 1;
    });
    history.write('m2', 'k2');
    expect(await read()).toEqual(plain);
    history.write('m1', 'k1');
    expect((await read())[0]).toMatchObject({ version: 2 });
  });

  it('asks the tables where no head was read, and for what is not there', async () => {
    const bank = await freshBank();
    const history = bankHistory(bank);
    history.write('m1', 'k1');
    const reader = bench.hot.reader(history.reader, 's1');
    const looked = bench.looked.length;
    expect(await reader.memory(bank, 'm1')).toMatchObject({ memoryId: 'm1' });
    expect(bench.looked.length).toBe(looked);
    await reader.headMoment(bank);
    expect(await reader.memory(bank, 'none')).toBeUndefined();
    expect(await reader.versionsByDoc(bank, [0, 7])).toHaveLength(1);
  });

  it('keeps versions apart by the stamp of the tables, whose numbers may be others', async () => {
    const bank = await freshBank();
    const [one, other] = [bankHistory(bank), bankHistory(bank)];
    one.write('m1', 'k1');
    other.write('m9', 'k9');
    const idsOf = async (history: typeof one, stamp: string) =>
      (await bench.hot.reader(history.reader, stamp).versionsByDoc(bank, [0])).map(({ memoryId }) => memoryId);
    expect(await idsOf(one, 's1')).toEqual(['m1']);
    await until(async () => {
      const { reads } = one;
      await idsOf(one, 's1');
      return one.reads === reads;
    });
    expect(await idsOf(other, 's2')).toEqual(['m9']);
  });
});

/** What may become of a command: done late, done with its answer lost, or never done. */
const fate = fc.constantFrom('well', 'well', 'well', 'late', 'answer lost', 'lost');
const memoryId = fc.constantFrom('m1', 'm1', 'm2');
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('write' as const), memoryId }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('read' as const),
      memoryId,
      by: fc.constantFrom('id', 'key'),
      fates: fc.array(fate, { minLength: 1, maxLength: 3 }),
      pauses: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 3, maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom({ do: 'flush' } as const, { do: 'purge' } as const, { do: 'anew' } as const),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('settle' as const) }) },
);

function fated(store: HotStore, fates: readonly string[]): HotStore {
  let at = 0;
  return {
    ...store,
    async ask(work) {
      const mine = fates[at++ % fates.length];
      if (mine === 'lost') return undefined;
      if (mine === 'late') await sleep(3);
      const answer = await store.ask(work);
      return mine === 'answer lost' ? undefined : answer;
    },
  };
}

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await breathe();
};

test.prop([fc.array(step, { minLength: 20, maxLength: 60 })], { numRuns: 100 })(
  'never answers otherwise than the tables did at some moment between reading the head and the answer',
  async (steps) => {
    const bank = await freshBank();
    const history = bankHistory(bank);
    let stamp = 0;
    const reading: Promise<void>[] = [];
    for (const each of steps) {
      if (each.do === 'write') history.write(each.memoryId, `k-${each.memoryId}`);
      else if (each.do === 'flush') await bench.store.ask(async (redis) => forget(redis, bank));
      else if (each.do === 'purge') await bench.hot.purge(bank);
      else if (each.do === 'anew') stamp += 1;
      else if (each.do === 'settle') {
        await Promise.all(reading.splice(0));
        await bench.store.ask((redis) => redis.ping());
      } else {
        const [first, second, third] = each.pauses as [number, number, number];
        const reader = bench.another((store) => fated(store, each.fates)).reader(history.slowReader(third), `${stamp}`);
        reading.push(
          (async () => {
            await turns(first);
            const from = (await reader.headMoment(bank))?.seq ?? 0;
            await turns(second);
            const key = `k-${each.memoryId}`;
            const row = await (each.by === 'id' ? reader.memory(bank, each.memoryId) : reader.memoryByKey(bank, key));
            expect(history.statesOf(each.memoryId, from)).toContainEqual(row);
            const docs = history.docsOf(each.memoryId);
            const versions = await reader.versionsByDoc(bank, docs);
            expect(versions).toEqual(await history.reader.versionsByDoc(bank, docs));
          })(),
        );
        await turns(1);
      }
    }
    await Promise.all(reading);
  },
);

type Client = Parameters<Parameters<HotStore['ask']>[0]>[0];

async function forget(redis: Client, bank: string): Promise<void> {
  for await (const page of redis.scanStream({ match: `hl:{${bench.ledgerId}.${bank}}:*` }) as AsyncIterable<string[]>)
    if (page.length) await redis.del(...page);
}

it('met the cache often enough for that to mean something', () => {
  for (const kind of ['memory', 'slot', 'version'] as const)
    for (const outcome of ['hit', 'miss'] as const) expect(bench.count(kind, outcome)).toBeGreaterThan(20);
});
