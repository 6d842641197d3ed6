import { HindsightError } from '#contract/errors.js';
import { parseKeyId, rewrapKey, secretIn, unwrapBucket, without, wrapBucket } from './bucket.js';
import { bankPrefix, subjectName } from './key-names.js';
import type { LockedKeys, StoredBucket, WrappedKey } from './key-store.js';
import { keyCheckOf, wrappingKeyOf } from './master-key.js';
import { masterOf, unlock, type VaultParts } from './unlock.js';
import type { Doomed } from './vault.js';

/** Buckets whose keys are wrapped anew at once: a row of a hundred bytes each. */
const page = 500;

/**
 * Moves the key store to the next master key epoch, without what is doomed (docs/decisions/0004-keys.md, "How an erase works"). Where
 * nothing doomed is left, only what a former call that was killed left undone is done.
 * @param doomed undefined to move in any case
 * @returns the epoch in force
 */
export async function moveEpoch(parts: VaultParts, doomed: Doomed | undefined): Promise<number> {
  const { keyStore, masterKey } = parts;
  await unlock(parts);
  await keyStore.exclusively((keys) => moved(keys, parts, doomed));
  await keyStore.scrub();
  // Under the lock again: whoever moves next writes the same file.
  return keyStore.exclusively(async ({ epoch: stored }) => {
    const master = masterOf(await masterKey.read(), stored!, masterKey.place);
    await masterKey.replace(new Map([[stored!.epoch, master]]));
    return stored!.epoch;
  });
}

async function moved(keys: LockedKeys, { masterKey, sources }: VaultParts, doomed: Doomed | undefined): Promise<void> {
  const stored = keys.epoch!;
  const master = masterOf(await masterKey.read(), stored, masterKey.place);
  const wrappingKey = wrappingKeyOf(master);
  if (doomed?.banks.length) await keys.bury(doomed.banks);
  const ended = doomed && (await stillThere(keys, wrappingKey, doomed));
  if (ended && ended.names.length === 0 && ended.buckets.length === 0) return;

  const fresh = sources.random(32);
  const next = { epoch: stored.epoch + 1, wrappingKey: wrappingKeyOf(fresh) };
  // A left-over of a move that was killed is written over: the store is not in its epoch, so nothing is wrapped by it.
  await masterKey.replace(
    new Map([
      [stored.epoch, master],
      [next.epoch, fresh],
    ]),
  );
  const resealed = new Set(ended?.buckets.map(({ bucket }) => bucket.id));
  for (
    let found = await keys.wrappedKeys(undefined, page);
    found.length > 0;
    found = await keys.wrappedKeys(found.at(-1)!.id, page)
  ) {
    const kept = found.filter(({ id }) => !resealed.has(id));
    await keys.rewrap(kept.map((key) => undamaged(key, () => rewrapKey(key, wrappingKey, next, sources))));
  }
  for (const { bucket, slots } of ended?.buckets ?? []) {
    const left = without(
      undamaged(bucket, () => unwrapBucket(bucket, wrappingKey)),
      slots,
    );
    await keys.reseal(wrapBucket(left, next.epoch, next.wrappingKey, sources));
  }
  if (ended) await keys.forget(ended.names);
  await keys.move(keyCheckOf(next.epoch, fresh));
}

/** What of the doomed is there still: names, and slots by bucket. */
async function stillThere(
  keys: LockedKeys,
  wrappingKey: Uint8Array,
  doomed: Doomed,
): Promise<{
  readonly names: readonly string[];
  readonly buckets: readonly { readonly bucket: StoredBucket; readonly slots: readonly number[] }[];
}> {
  const named = await namesOf(keys, doomed);
  const slots = new Map<string, Set<number>>();
  for (const id of [...doomed.secrets, ...named.values()]) {
    const key = parseKeyId(id);
    if (!key) continue;
    const known = slots.get(key.bucket) ?? new Set();
    slots.set(key.bucket, known.add(key.slot));
  }
  const buckets: { bucket: StoredBucket; slots: number[] }[] = [];
  for (const [id, doomedSlots] of slots) {
    const bucket = await keys.bucket(id);
    if (!bucket) continue;
    const opened = undamaged(bucket, () => unwrapBucket(bucket, wrappingKey));
    const there = [...doomedSlots].filter((slot) => secretIn(opened, slot));
    if (there.length > 0) buckets.push({ bucket, slots: there });
  }
  return { names: [...named.keys()], buckets };
}

async function namesOf(keys: LockedKeys, { subjects, banks }: Doomed): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const asked = subjects.map(({ bank, subject }) => subjectName(bank, subject));
  for (const [at, id] of (await keys.named(asked)).entries()) if (id !== undefined) found.set(asked[at]!, id);
  for (const bank of banks)
    for (const prefix of [bankPrefix(bank), subjectName(bank, '')])
      for (const [name, id] of await keys.namesUnder(prefix)) found.set(name, id);
  return found;
}

function undamaged<T>({ id }: Pick<WrappedKey, 'id'>, open: () => T): T {
  try {
    return open();
  } catch (cause) {
    // Going on would leave it wrapped by a key that is gone: it could not be mended any more.
    throw new HindsightError(
      'key_not_found',
      `Bucket ${id} of the key store is damaged. Restore the keys from a backup first: a new master key epoch would end it for good.`,
      { bucket: id },
      { cause },
    );
  }
}
