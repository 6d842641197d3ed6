import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Vault } from '#sealing/vault.js';
import { engine } from '#test/engines/engines.js';
import { testVault } from '#test/test-vault.js';
import { type HotStore, openHotStore } from '../hot-store.js';
import type { EntryKind } from '../keys.js';
import { type HotViews, openHotViews } from '../open-hot-views.js';

export interface HotBench extends AsyncDisposable {
  readonly ledgerId: string;
  readonly store: HotStore;
  readonly hot: HotViews;
  readonly vault: Vault;
  /** What was looked up so far, as `kind outcome`. */
  readonly looked: string[];
  count(kind: EntryKind, outcome: 'hit' | 'miss' | 'away'): number;
  /** As another process would, on the same Redis and keys. */
  another(wrap?: (store: HotStore) => HotStore): HotViews;
  /** With the keys of another vault. */
  over(vault: Vault): HotViews;
}

/** The hot views of a ledger of its own, over the running Redis or another one. */
export async function hotBench(url = engine('redis')): Promise<HotBench> {
  const ledgerId = randomBytes(8).toString('hex');
  const vault = await testVault();
  const store = await connected(url);
  const looked: string[] = [];
  const open = (given: HotStore, keys: Vault) =>
    openHotViews({
      store: given,
      vault: keys,
      ledgerId,
      random: randomBytes,
      onLooked: (kind, outcome) => void looked.push(`${kind} ${outcome}`),
    });
  return {
    ledgerId,
    store,
    vault,
    looked,
    hot: open(store, vault),
    another: (wrap = (same) => same) => open(wrap(store), vault),
    over: (keys) => open(store, keys),
    count: (kind, outcome) => looked.filter((each) => each === `${kind} ${outcome}`).length,
    async [Symbol.asyncDispose]() {
      await store.close();
      await vault.close();
    },
  };
}

/** A store that has connected; a busy machine gets time to answer. */
export async function connected(url: string, options: Parameters<typeof openHotStore>[1] = {}): Promise<HotStore> {
  const store = openHotStore(url, { timeoutMs: 2_000, ...options });
  await until(async () => (await store.ask((redis) => redis.ping())) === 'PONG');
  return store;
}

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(5);
}

/** All keys of a Redis that match, with what they hold. */
export async function everything(store: HotStore, match = '*'): Promise<{ key: string; value: Buffer; ttl: number }[]> {
  const found = await store.ask(async (redis) => {
    const all: { key: string; value: Buffer; ttl: number }[] = [];
    for await (const page of redis.scanStream({ match, count: 1_000 }) as AsyncIterable<string[]>)
      for (const key of page) {
        const value = (await redis.type(key)) === 'string' ? await redis.getBuffer(key) : await hash(key);
        all.push({ key, value: value ?? Buffer.alloc(0), ttl: await redis.pttl(key) });
      }
    return all;

    async function hash(key: string): Promise<Buffer> {
      return Buffer.from(JSON.stringify(await redis.hgetall(key)));
    }
  });
  if (!found) throw new Error('Redis is away');
  return found;
}
