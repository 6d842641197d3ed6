import { fc, test } from '@fast-check/vitest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localRateLimit } from '#access/rate-limit.js';
import { questionBench, start } from '#query/test-support/question-bench.js';
import { startRedis } from '#test/engines/redis/start-redis.js';
import { withEngine } from '#test/engines/with-engine.js';
import type { HotStore } from './hot-store.js';
import { everything, type HotBench, hotBench, until } from './test-support/hot-bench.js';
import { keyTag } from './test-support/key-tag.js';

let bench: HotBench;
beforeAll(async () => {
  bench = await hotBench();
});
afterAll(() => bench[Symbol.asyncDispose]());

const never = { take: () => Promise.reject(new Error('Redis is there')) };

describe('the written heads', () => {
  test.prop([fc.array(fc.tuple(fc.nat(5_000), fc.nat(5_000)), { minLength: 1, maxLength: 12 })], { numRuns: 60 })(
    'never go back, in whatever order they are told',
    async (given) => {
      const bank = `b${given.flat().join('x').slice(0, 40)}${Math.random()}`;
      const positions = given.map((pair) => pair.map((part) => String(part).padStart(19, '0')).join('.'));
      await Promise.all(positions.map((position) => bench.hot.heads.note(bank, position)));
      expect(await bench.hot.heads.last(bank)).toBe([...positions].sort().at(-1));
    },
  );

  it('compare byte by byte, whatever the locale', async () => {
    for (const [lower, higher] of [
      ['a', 'b'],
      ['B', 'a'],
      ['1.2', '12'],
      ['1', '1.'],
    ] as const) {
      const bank = `b${Math.random()}`;
      await bench.hot.heads.note(bank, higher);
      await bench.hot.heads.note(bank, lower);
      expect(await bench.hot.heads.last(bank)).toBe(higher);
    }
  });
});

describe('answers', () => {
  it('are computed once, by whichever process, until they are purged or another bank asks', async () => {
    let computed = 0;
    const compute = async () => [++computed];
    for (const bank of ['b1', 'b2']) await bench.vault.bankKeys(bank);
    const ask = (bank: string, question: string) => bench.another().answers.answer(bank, { question }, compute);
    expect(await ask('b1', 'q')).toEqual([1]);
    await until(async () => bench.count('answer', 'hit') > 0 || ((await ask('b1', 'q')) && false));
    const last = computed;
    expect(await ask('b1', 'q')).toEqual([1]);
    expect(computed).toBe(last);
    expect(await ask('b1', 'Q')).toEqual([last + 1]);
    expect(await ask('b2', 'q')).toEqual([last + 2]);
    expect(await bench.hot.purge('b1')).toBe(true);
    expect(await ask('b1', 'q')).toEqual([last + 3]);
  });

  it('that were being computed at a purge are not kept', async () => {
    await bench.vault.bankKeys('b3');
    const answer = (compute: () => Promise<string>) => bench.hot.answers.answer('b3', 'q', compute);
    const before = answer(async () => {
      await bench.hot.purge('b3');
      return 'before';
    });
    expect(await before).toBe('before');
    // The connection answers in order: what was kept has arrived by then.
    await bench.store.ask((redis) => redis.ping());
    expect(await answer(async () => 'after')).toBe('after');
  });

  it('end with their mark, as when Redis drops it before them', async () => {
    await bench.vault.bankKeys('b4');
    const answer = (value: string) => bench.hot.answers.answer('b4', 'q', async () => value);
    expect(await answer('one')).toBe('one');
    await until(async () => (await answer('two')) === 'one');
    await bench.store.ask((redis) => redis.del(`hl:{${bench.ledgerId}.b4}:mark`));
    expect(await answer('three')).toBe('three');
  });

  it('of a bank without keys are computed each time', async () => {
    const looked = bench.looked.length;
    expect(await bench.hot.answers.answer('bnokeys', 'q', async () => 1)).toBe(1);
    expect(bench.looked.length).toBe(looked);
  });
});

describe('rate limits', () => {
  it('count over all processes, and say when to come again', async () => {
    const limits = [bench.hot, bench.another()].map((hot) => hot.rateLimit(4, never));
    for (let call = 0; call < 4; call++) expect(await limits[call % 2]!.take('t1', 1)).toEqual({ allowed: true });
    const refused = await limits[0]!.take('t1', 1);
    expect(refused).toMatchObject({ allowed: false });
    const wait = refused.allowed ? 0 : refused.retryAfterMs;
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(15_000);
    expect(await limits[1]!.take('t2', 100)).toEqual({ allowed: true });
    expect(await limits[1]!.take('t2', 1)).toMatchObject({ allowed: false });
  });
});

it('has a time to live on everything, and everything of a bank in one slot', async () => {
  const own = await everything(bench.store, `hl:{${bench.ledgerId}.*`);
  expect(own.length).toBeGreaterThan(10);
  expect(own.filter(({ ttl }) => ttl <= 0).map(({ key }) => key)).toEqual([]);
  for (const { key } of own) {
    const [, ledger, bank] = /^hl:\{([0-9a-f]+)\.([^{}]+)\}:/.exec(key) ?? [];
    expect(keyTag(key)).toBe(`${ledger}.${bank}`);
  }
});

it('leaves nothing that a person wrote readable in Redis', async () => {
  const planted = ['Quillfeather', 'Brambletoft', 'Ottersworth', 'Pennywhistle', '紫薇星辰', 'Larkspurton'];
  const asking = questionBench('strict', (vault) => ({
    reader: (stamp) => hotOf(vault).reader(asking.views.reader(), stamp),
    answers: { answer: (...asked) => hotOf(vault).answers.answer(...asked) },
  }));
  const hotOf = (vault: Parameters<typeof bench.over>[0]) => bench.over(vault);
  await asking.views.write(
    { memoryId: 'm1', content: `${planted[0]} owns ${planted[4]}`, key: planted[1]!, tags: [planted[2]!] },
    start,
  );
  const filters = { tags: [planted[2]!], session_id: planted[3]! };
  await asking.views.write({ memoryId: 'm2', content: planted[0]!, session: planted[3]!, tags: [planted[2]!] }, start);
  for (let round = 0; round < 3; round++) {
    const query = `${planted[0]} ${planted[4]} ${planted[5]}`;
    // Both are to be kept, also the one that is much less likely than the other.
    expect((await asking.queries.search({ query, min_score: 0 }, asking.caller)).items).toHaveLength(2);
    expect((await asking.queries.search({ query, ...filters }, asking.caller)).items).toHaveLength(1);
    await asking.queries.history({ key: planted[1]! }, asking.caller);
    await asking.queries.history({ memory_id: planted[5]! }, asking.caller).catch(() => undefined);
  }
  await until(() => bench.count('answer', 'hit') > 0 && bench.count('version', 'hit') > 0);
  const all = await everything(bench.store);
  const found = all.flatMap(({ key, value }) =>
    planted
      .flatMap((word) => formsOf(word).map((form) => ({ word, form })))
      .filter(({ form }) => value.includes(form) || Buffer.from(key).includes(form))
      .map(({ word }) => `${word} in ${key}`),
  );
  expect(all.length).toBeGreaterThan(0);
  expect(found).toEqual([]);
});

/** As a careless program might leave a word: as text of either width, in hex, and in base64 at each of its three offsets. */
function formsOf(word: string): Buffer[] {
  const text = Buffer.from(word, 'utf8');
  const base64 = [0, 1, 2].flatMap((offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset), text]).toString('base64');
    const whole = shifted.slice(offset === 0 ? 0 : 4, -4);
    return [whole, whole.replaceAll('+', '-').replaceAll('/', '_')];
  });
  return [
    text,
    Buffer.from(word, 'utf16le'),
    Buffer.from(text.toString('hex')),
    ...base64.map((each) => Buffer.from(each)),
  ];
}

withEngine('redis')('a Redis cluster', () => {
  it('takes every command: no script touches two slots', async () => {
    await using server = await clusterOfOne();
    await using there = await hotBench(server.url);
    for (const bank of ['b1', 'b2']) {
      await there.vault.bankKeys(bank);
      await there.hot.heads.note(bank, '1');
      expect(await there.hot.heads.last(bank)).toBe('1');
      const ask = () => there.hot.answers.answer(bank, 'q', async () => 1);
      await ask();
      const before = there.count('answer', 'hit');
      await until(async () => {
        await ask();
        return there.count('answer', 'hit') > before;
      });
      expect(await there.hot.purge(bank)).toBe(true);
    }
    expect(await there.hot.rateLimit(1, localRateLimit(9)).take('t', 1)).toEqual({ allowed: true });
    expect(await there.hot.rateLimit(1, localRateLimit(9)).take('t', 1)).toMatchObject({ allowed: false });
    expect(await crossSlot(there.store)).toMatch(/CROSSSLOT/);
  });
});

/** That the server checks at all. */
function crossSlot(store: HotStore): Promise<string | undefined> {
  return store.ask((redis) =>
    redis.mget('hl:{a}:x', 'hl:{b}:x').then(
      () => 'taken',
      (error: Error) => error.message,
    ),
  );
}

async function clusterOfOne() {
  const server = await startRedis(['--cluster-enabled', 'yes']);
  const { Redis } = await import('ioredis');
  const admin = new Redis(server.url);
  await admin.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
  await until(async () => String(await admin.call('CLUSTER', 'INFO')).includes('cluster_state:ok'));
  admin.disconnect();
  return { url: server.url, [Symbol.asyncDispose]: () => server.remove() };
}
