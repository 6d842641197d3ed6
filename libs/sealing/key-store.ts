/** A bucket of secrets as it is stored: sealed under a key of its own, which is wrapped by a master key epoch. */
export interface StoredBucket {
  /** URL-safe text without a dot. */
  readonly id: string;
  /** The epoch in which the secrets were last sealed; bound to `blob`. */
  readonly sealedIn: number;
  readonly blob: Uint8Array;
  /** The epoch whose master key wraps the bucket's key; bound to `wrappedKey`. An erase raises it everywhere. */
  readonly epoch: number;
  readonly wrappedKey: Uint8Array;
}

/** A bucket's key as it is stored. */
export type WrappedKey = Pick<StoredBucket, 'id' | 'epoch' | 'wrappedKey'>;

/** A master key epoch, and the check that tells whether a master key is the one. */
export interface StoredEpoch {
  readonly epoch: number;
  readonly check: Uint8Array;
}

/** A copy of the wrapped keys that was made: with its epoch's master key it opens what was there then. */
export interface BundleNote {
  readonly epoch: number;
  /** ISO, UTC. */
  readonly made: string;
  /** Where it was written to, for people. */
  readonly place: string;
}

/** The key store while one process alone may change it. What it does is there at once, or, when the process ends before, not at all. */
export interface LockedKeys {
  /** The epoch in force; undefined in a store that was never used. */
  readonly epoch: StoredEpoch | undefined;
  bucket(id: string): Promise<StoredBucket | undefined>;
  named(names: readonly string[]): Promise<readonly (string | undefined)[]>;
  /** Names that begin so, and their key ids. */
  namesUnder(prefix: string): Promise<readonly (readonly [name: string, id: string])[]>;
  /** Keys of buckets in the store's own order, at most `limit`, from behind this bucket on. */
  wrappedKeys(after: string | undefined, limit: number): Promise<readonly WrappedKey[]>;
  /** Puts these keys in the place of the buckets' former ones. */
  rewrap(keys: readonly WrappedKey[]): Promise<void>;
  /** Puts a bucket in the place of the one with its id, secrets and key. */
  reseal(bucket: StoredBucket): Promise<void>;
  forget(names: readonly string[]): Promise<void>;
  /** Lets no key of these banks, or of their subjects, be named ever again; known by a name of its own (`graveName`) for each. */
  bury(banks: readonly string[]): Promise<void>;
  /** Puts the next epoch in force, in the place of the former one. */
  move(next: StoredEpoch): Promise<void>;
}

/**
 * Where wrapped keys are kept. It sees neither a secret nor the master key. Shared by processes; what it acknowledges is
 * durable. Adapters pass key-store.contract.ts, unchanged.
 *
 * Inserts name the epoch that they were wrapped in and are refused (false, undefined) inside their own transaction when
 * the store is in another one: the caller reads the master key again and wraps anew.
 *
 * Errors (HindsightError): `newer_format` at opening; `not_writable`, `disk_full`, `ledger_busy` where something is stored.
 */
export interface KeyStore {
  /** The epoch in force; undefined in a store that was never used. */
  epoch(): Promise<StoredEpoch | undefined>;
  /** Begins the store with its first epoch, unless another process has. Answers with the epoch in force. */
  begin(first: StoredEpoch): Promise<StoredEpoch>;
  /** False when the store is not in the bucket's epoch. An id that is taken is an error. */
  addBucket(bucket: StoredBucket): Promise<boolean>;
  bucket(id: string): Promise<StoredBucket | undefined>;
  /**
   * Gives names to key ids; a name that has one keeps it. Answers with the key ids that stand, in the order asked for,
   * undefined when the store is not in this epoch.
   * @throws HindsightError bank_erased, inside the same transaction, where a name is of a bank that was buried: then none is given
   */
  nameKeys(epoch: number, names: ReadonlyMap<string, string>): Promise<readonly string[] | undefined>;
  /** The key ids of these names, in the order asked for. */
  named(names: readonly string[]): Promise<readonly (string | undefined)[]>;
  /** Ids of buckets in the store's own order, at most `limit`, from behind this one on: for whoever copies all of them. */
  bucketIds(after: string | undefined, limit: number): Promise<readonly string[]>;
  /** Names and their key ids, likewise. */
  names(after: string | undefined, limit: number): Promise<readonly (readonly [name: string, id: string])[]>;
  /**
   * Runs `work` while no other process inserts, moves or comes in here, and keeps all that it did when it resolves, nothing when it
   * rejects. Where the store is a server, `work` is run again when the connection is lost, also when it may have been committed.
   */
  exclusively<T>(work: (keys: LockedKeys) => Promise<T>): Promise<T>;
  /** Remembers the copy that was made last. */
  noteBundle(note: BundleNote): Promise<void>;
  lastBundle(): Promise<BundleNote | undefined>;
  /** Lets go of replaced rows as far as the store can. What it cannot reach is wrapped by an epoch that is gone. */
  scrub(): Promise<void>;
  close(): Promise<void>;
}
