import { keyedHash } from '#events/keyed-hash.js';
import { openCached, sealCached } from '#sealing/cache-box.js';
import type { Vault } from '#sealing/vault.js';
import type { HotStore } from './hot-store.js';
import { type EntryKind, keys } from './keys.js';

/** What was found of some entries, and how to keep those that were not. */
export interface Looked {
  /** In the order asked for; undefined where there is none. */
  readonly values: readonly unknown[];
  /** Keeps values by their place, without being waited for. */
  keep(values: ReadonlyMap<number, unknown>): void;
}

/** Sealed values of banks. Each may be gone at any time. */
export interface Entries {
  /**
   * @param names what each entry is about; anything may stand in them, since only keyed hashes leave the process
   * @returns undefined where nothing can be looked up or kept
   */
  look(bank: string, kind: EntryKind, names: readonly (readonly string[])[]): Promise<Looked | undefined>;
  /**
   * Ends all that was kept of a bank, also what is being computed now and would be kept later.
   * @returns false when Redis could not be told: ask again
   */
  purge(bank: string): Promise<boolean>;
}

/** Seen each time that an entry is asked for. */
export type OnLooked = (kind: EntryKind, outcome: 'hit' | 'miss' | 'away') => void;

export interface EntriesDeps {
  readonly store: HotStore;
  readonly vault: Pick<Vault, 'knownBankKeys'>;
  readonly ledgerId: string;
  readonly random: (bytes: number) => Uint8Array;
  readonly onLooked?: OnLooked | undefined;
}

/** Milliseconds that an entry is kept for at most. */
const entryTtl = 10 * 60_000;
/** A mark that is gone ends its entries, so that it is kept longer. */
const markTtl = 24 * 60 * 60_000;
/** Bytes of a value that is kept at most: a hundred ranked versions take some 20 KB. */
const largestEntry = 64 * 1024;
/** Values on their way at most; more are not kept. */
const mostKeeping = 64;

export function openEntries({ store, vault, ledgerId, random, onLooked }: EntriesDeps): Entries {
  let keeping = 0;
  const newMark = () => Buffer.from(random(12)).toString('base64url');

  return {
    async look(bank, kind, names) {
      const bankKeys = await vault.knownBankKeys(bank);
      // A bank without keys holds nothing.
      if (!bankKeys || names.length === 0) return undefined;
      const places = names.map((parts) =>
        keys.entry(ledgerId, bank, kind, keyedHash(bankKeys.indexKey, 'cache', kind, ...parts)),
      );
      const found = await store.ask((redis) =>
        redis.hlLookBuffer(places.length + 1, keys.mark(ledgerId, bank), ...places, newMark(), markTtl),
      );
      if (!found) {
        for (const _ of names) onLooked?.(kind, 'away');
        return undefined;
      }
      // Sealed to the mark: what was kept before a purge, or comes after it and was computed before, does not open any more.
      const mark = found[0]!.toString('utf8');
      const boundTo = (place: string) => `hl-cache-1\n${place}\n${mark}`;
      const values = places.map((place, at) => {
        const sealed = found[at + 1];
        const plain = sealed ? openCached(bankKeys, sealed, boundTo(place)) : undefined;
        onLooked?.(kind, plain ? 'hit' : 'miss');
        return plain ? (JSON.parse(Buffer.from(plain).toString('utf8')) as unknown) : undefined;
      });
      return {
        values,
        keep(given) {
          if (keeping >= mostKeeping || given.size === 0) return;
          keeping += 1;
          void store
            .ask(async (redis) => {
              const pipeline = redis.pipeline();
              for (const [at, value] of given) {
                const plain = Buffer.from(JSON.stringify(value), 'utf8');
                if (plain.length > largestEntry) continue;
                const sealed = sealCached(bankKeys, plain, boundTo(places[at]!), random);
                pipeline.set(places[at]!, Buffer.from(sealed), 'PX', entryTtl);
              }
              for (const [error] of (await pipeline.exec()) ?? []) if (error) throw error;
            })
            .finally(() => {
              keeping -= 1;
            });
        },
      };
    },
    async purge(bank) {
      const done = await store.ask((redis) => redis.set(keys.mark(ledgerId, bank), newMark(), 'PX', markTtl));
      return done === 'OK';
    },
  };
}
