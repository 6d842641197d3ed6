import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { HindsightError } from '#contract/errors.js';
import { type BoundedCache, boundedCache } from './bounded-cache.js';
import {
  type Bucket,
  keyId,
  makeBucket,
  maxSecrets,
  parseKeyId,
  secretBytes,
  secretIn,
  unwrapBucket,
  without,
  wrapBucket,
} from './bucket.js';
import { epochWatch } from './epoch-watch.js';
import { bankIsErased, bankKeyName, banksOf, graveName, subjectName } from './key-names.js';
import { moveEpoch } from './move-epoch.js';
import { type Unlocked, unlock, type VaultParts } from './unlock.js';
import type { BankKeys, ContentSecret, Doomed, Vault } from './vault.js';

/** Secrets in a process's first batch: most processes write little, and what they leave over stays unused. */
const firstBatch = 32;
const batchGrowth = 4;

/** Opened buckets kept, in bytes of secrets: 512 full ones, the secrets of half a million memories. */
const keptSecrets = 16 * 1024 * 1024;
const keptBanks = 1_000;
const keptSubjects = 10_000;

/** How often an insert is wrapped anew when epochs move meanwhile. Each move is an erase by somebody else. */
const patience = 5;

/** Milliseconds: in a file the epoch is read in some microseconds. */
const defaultNotice = 10;
/** Timers may end a millisecond before their time. */
const timerError = 2;

/**
 * Opens the key store of one process.
 * @throws HindsightError master_key_missing · master_key_wrong · newer_format · not_writable · disk_full
 */
export async function openVault(parts: VaultParts): Promise<Vault> {
  const { keyStore, sources } = parts;
  let master = await unlock(parts);
  const buckets = boundedCache<Bucket>(keptSecrets, (bucket) => bucket.secrets.length);
  const banks = boundedCache<BankKeys>(keptBanks);
  const subjects = boundedCache<Uint8Array>(keptSubjects);
  const noticeWithin = parts.noticeWithin ?? defaultNotice;
  let generation = 0;
  let ledgerKey: Uint8Array | undefined;
  let serviceKey: Uint8Array | undefined;
  let batch: Bucket | undefined;
  let next = 0;
  let nextSize = firstBatch;
  let reserving: Promise<void> | undefined;

  /** What was opened under an earlier epoch may have been erased since. */
  const forget = () => {
    generation += 1;
    buckets.clear();
    banks.clear();
    subjects.clear();
    // Of the batch in hand only what was not handed out stays: the rest may be what was destroyed.
    if (batch) batch = without(batch, Array(next).keys());
  };

  const relock = async () => {
    // Before the master key is there too: nobody is to be served from memory while it is read.
    forget();
    master = await unlock(parts);
    forget();
  };

  const watch = epochWatch(async () => {
    if ((await keyStore.epoch())?.epoch !== master.epoch) await relock();
  }, noticeWithin);

  const whileEpochsMove = async <T>(insert: (master: Unlocked) => Promise<T | undefined>): Promise<T> => {
    for (let tries = 0; tries < patience; tries++) {
      const inserted = await insert(master);
      if (inserted !== undefined) return inserted;
      await relock();
    }
    throw new HindsightError(
      'ledger_busy',
      `Other processes moved the master key ${patience} times while keys were stored.`,
    );
  };

  const reserve = async () => {
    const bucket = makeBucket(nextSize, sources);
    await whileEpochsMove(async ({ epoch, wrappingKey }) =>
      (await keyStore.addBucket(wrapBucket(bucket, epoch, wrappingKey, sources))) ? true : undefined,
    );
    buckets.set(bucket.id, bucket);
    batch = bucket;
    next = 0;
    nextSize = Math.min(nextSize * batchGrowth, maxSecrets);
  };

  const freshSecret = async (): Promise<ContentSecret> => {
    while (!batch || next * secretBytes >= batch.secrets.length) {
      reserving ??= reserve().finally(() => {
        reserving = undefined;
      });
      await reserving;
    }
    const slot = next++;
    return { id: keyId(batch.id, slot), secret: batch.secrets.subarray(slot * secretBytes, (slot + 1) * secretBytes) };
  };

  const bucketOf = async (id: string): Promise<Bucket | undefined> => {
    for (let tries = 1; ; tries++) {
      const stored = await keyStore.bucket(id);
      if (!stored) return undefined;
      if (master.wrappingKeyOf(stored) || tries >= patience) {
        const bucket = opened(stored, master);
        buckets.set(id, bucket);
        return bucket;
      }
      await relock();
    }
  };

  const secret = async (id: string): Promise<Uint8Array | undefined> => {
    const key = parseKeyId(id);
    if (!key) return undefined;
    const due = watch.due();
    if (due) await due;
    const bucket = buckets.get(key.bucket) ?? (await bucketOf(key.bucket));
    return bucket && secretIn(bucket, key.slot);
  };

  /** The keys with these names; undefined when any is missing or destroyed. */
  const known = async (names: readonly string[]): Promise<readonly Uint8Array[] | undefined> => {
    const keys: Uint8Array[] = [];
    for (const [at, id] of (await keyStore.named(names)).entries()) {
      const found = id === undefined ? undefined : await secret(id);
      if (!found) return undefined;
      keys.push(namedKey(names[at]!, found));
    }
    return keys;
  };

  const madeOnce = async (names: readonly string[]): Promise<readonly Uint8Array[]> => {
    // What was destroyed right after it was found or made is made anew.
    for (let tries = 0; tries < patience; tries++) {
      const found = await known(names);
      if (found) return found;
      // Only the store can say so for good (`nameKeys`); asked before, a call that is refused spends no secrets.
      for (const bank of banksOf(names))
        if ((await keyStore.named([graveName(bank)]))[0] !== undefined) throw bankIsErased(bank);
      const ids = new Map<string, string>();
      for (const name of names) ids.set(name, (await freshSecret()).id);
      await whileEpochsMove(({ epoch }) => keyStore.nameKeys(epoch, ids));
    }
    const made = await known(names);
    if (made) return made;
    throw new HindsightError('key_not_found', `The key store names ${names.join(', ')}, but their keys are gone.`, {
      names,
    });
  };

  /** Through a cache, which must not keep what was read before it was emptied. */
  const cached = async <T>(cache: BoundedCache<T>, name: string, find: () => Promise<T | undefined>) => {
    const due = watch.due();
    if (due) await due;
    const kept = cache.get(name);
    if (kept) return kept;
    for (;;) {
      const began = generation;
      const found = await find();
      if (generation !== began) continue;
      if (found) cache.set(name, found);
      return found;
    }
  };

  const bankKeys = (bank: string, find: typeof known): Promise<BankKeys | undefined> =>
    cached(banks, bank, async () => {
      const keys = await find((['secret', 'identity', 'index'] as const).map((kind) => bankKeyName(bank, kind)));
      if (!keys) return undefined;
      const [secret, identityKey, indexKey] = keys as [Uint8Array, Uint8Array, Uint8Array];
      return { bank, secret, identityKey, indexKey };
    });

  const subjectSecret = (bank: string, subject: string, find: typeof known): Promise<Uint8Array | undefined> => {
    const name = subjectName(bank, subject);
    return cached(subjects, name, async () => (await find([name]))?.[0]);
  };

  const switched = async (doomed?: Doomed, keyCopy?: 'none'): Promise<{ readonly epoch: number }> => {
    await parts.copy?.check(keyStore, keyCopy);
    const epoch = await moveEpoch(parts, doomed);
    await relock();
    await parts.copy?.renew(keyStore);
    // Until every other process has to ask for the epoch before it serves anything from its memory.
    await sleep(noticeWithin + timerError);
    return { epoch };
  };

  return {
    keyCopy: parts.copy?.wanted,
    async ledgerKey() {
      ledgerKey ??= (await madeOnce(['ledger']))[0]!;
      return ledgerKey;
    },
    async serviceKey() {
      serviceKey ??= (await madeOnce(['service']))[0]!;
      return serviceKey;
    },
    bankKeys: async (bank) => (await bankKeys(bank, madeOnce))!,
    knownBankKeys: (bank) => bankKeys(bank, known),
    async subjectSecret(bank, subject) {
      // Whatever is sealed with the secret of a subject that was erased a moment ago would be lost.
      await watch.now();
      return (await subjectSecret(bank, subject, madeOnce))!;
    },
    knownSubjectSecret: (bank, subject) => subjectSecret(bank, subject, known),
    freshSecret,
    secret,
    destroy: (doomed, { keyCopy } = {}) => switched(doomed, keyCopy),
    mayDestroy: async () => parts.copy?.check(keyStore),
    rotate: () => switched(),
    async epoch() {
      await watch.now();
      return master.epoch;
    },
    close: () => keyStore.close(),
  };
}

function opened(stored: Parameters<typeof unwrapBucket>[0], master: Unlocked): Bucket {
  const wrappingKey = master.wrappingKeyOf(stored);
  try {
    if (wrappingKey) return unwrapBucket(stored, wrappingKey);
  } catch (cause) {
    throw new HindsightError(
      'key_not_found',
      `Bucket ${stored.id} of the key store is damaged.`,
      { bucket: stored.id },
      { cause },
    );
  }
  throw new HindsightError(
    'master_key_wrong',
    `Bucket ${stored.id} of the key store is wrapped by master key epoch ${stored.epoch}, which is not there.`,
    { bucket: stored.id, epoch: stored.epoch },
  );
}

/**
 * A named key is bound to its name: a row of the key store that was changed to point elsewhere gives a key that opens
 * nothing, never the key of another bank or a memory's secret.
 */
function namedKey(name: string, secret: Uint8Array): Uint8Array {
  return createHmac('sha256', secret).update(`hindsight-ledger/named/1\n${name}`).digest();
}
