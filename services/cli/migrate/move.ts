import { type Migrated, type MigrateProgress, migrateLedger } from '#ledger/migrate-ledger.js';
import { type CopiedKeys, copyKeys } from '#sealing/copy-keys.js';
import type { Stores } from './stores.js';

export type MoveDone = Migrated & {
  readonly from: string;
  readonly to: string;
  /** Copied by this run. */
  readonly keys: CopiedKeys;
  readonly tokens: number;
};

/**
 * Moves a ledger with its keys and tokens. Those are copied before the ledger, so that what cannot be copied is known at once, and again when
 * nobody can write any more, so that none is missed.
 */
export async function move(
  from: Stores,
  to: Stores,
  options: { readonly signal?: AbortSignal; readonly onProgress?: (progress: MigrateProgress) => void } = {},
): Promise<MoveDone> {
  const keys = { buckets: 0, names: 0 };
  let tokens = 0;
  const migrated = await migrateLedger(from.place, to.place, {
    ...options,
    gapBetween: from.gapBetween,
    async alongside() {
      const copied = await copyKeys(from.keys, to.keys);
      keys.buckets += copied.buckets;
      keys.names += copied.names;
      const kept = await from.tokens.kept();
      await to.tokens.keep(kept);
      tokens = kept.length;
    },
  });
  return { ...migrated, from: from.place.name.shown, to: to.place.name.shown, keys, tokens };
}
