/** A secret that a content key is derived from; its id stands in the sealed box. */
export interface ContentSecret {
  readonly id: string;
  readonly secret: Uint8Array;
}

/** The keys of one bank. The index and identity keys never rotate; an erase leaves them alone (docs/decisions/0004-keys.md). */
export interface BankKeys {
  readonly bank: string;
  /** Salts the content keys of the bank: destroying it ends all of them. */
  readonly secret: Uint8Array;
  /** For ids of memories, idempotency hashes and subjects' hashes. */
  readonly identityKey: Uint8Array;
  /** For terms, slot keys and tags in the views. */
  readonly indexKey: Uint8Array;
}

/** What an erase ends. */
export interface Doomed {
  /** Key ids as they stand in sealed boxes. */
  readonly secrets: readonly string[];
  /** `subject` is its keyed hash. */
  readonly subjects: readonly { readonly bank: string; readonly subject: string }[];
  /** Ids of banks: all their keys end, those of their subjects included. */
  readonly banks: readonly string[];
}

/**
 * The opened key store of one process. Caches what it opens; every secret that it hands out is durable already.
 * Nobody may change the bytes that it hands out.
 * Errors (HindsightError): `master_key_missing`, `master_key_wrong`, `keys_missing` at opening; `not_writable`, `disk_full`
 * and `ledger_busy` where something is made; `keys_unreachable` for whatever needs a key that is not cached, where the store is a server.
 */
export interface Vault {
  /** `none` where whoever opened it wants no copy of the keys made, although one was: what is ordered here says so on record. */
  readonly keyCopy?: 'none' | undefined;
  /** A key of the whole ledger, made at first use: for bank ids from bank names. */
  ledgerKey(): Promise<Uint8Array>;
  /** A key of the whole ledger, made at first use: with it services that share the keys sign what they ask of each other. */
  serviceKey(): Promise<Uint8Array>;
  /** The bank's keys, made at first use. @throws HindsightError bank_erased where they were destroyed: they are never made again */
  bankKeys(bank: string): Promise<BankKeys>;
  /** The bank's keys; undefined when the bank has none. For reading: nothing is made. */
  knownBankKeys(bank: string): Promise<BankKeys | undefined>;
  /**
   * A subject's secret, made at first use, and again after it was destroyed. `subject` is its keyed hash.
   * @throws HindsightError bank_erased where the bank's keys were destroyed
   */
  subjectSecret(bank: string, subject: string): Promise<Uint8Array>;
  /** A subject's secret; undefined when it has none, or none any more. For reading: nothing is made. */
  knownSubjectSecret(bank: string, subject: string): Promise<Uint8Array | undefined>;
  /** A secret for a new memory or recall record, out of a batch that is durable already. */
  freshSecret(): Promise<ContentSecret>;
  /** The secret with this id; undefined when it is gone (erased, or another process's store). */
  secret(id: string): Promise<Uint8Array | undefined>;
  /**
   * Destroys secrets and starts a new master key epoch. Durable and final when it resolves: no former copy of the key store opens them
   * with today's master key, and no process that can reach the key store serves them from its memory. What is gone already is passed
   * over; killed at any point it is finished by calling it again.
   * @param ordered what was said of copies of the keys when it was ordered, by another process perhaps
   * @returns the epoch in force
   * @throws HindsightError key_backup_needed as of `mayDestroy` · not_writable where the master key may not be written · disk_full ·
   * ledger_busy · keys_unreachable
   */
  destroy(doomed: Doomed, ordered?: { readonly keyCopy?: 'none' | undefined }): Promise<{ readonly epoch: number }>;
  /**
   * Whether `destroy` and `rotate` may be called: to be asked before an erasure is put on record.
   * @throws HindsightError key_backup_needed where a copy of the keys was made that would not be renewed · not_writable
   */
  mayDestroy(): Promise<void>;
  /** Starts a new master key epoch without destroying anything. Errors as of `destroy`. */
  rotate(): Promise<{ readonly epoch: number }>;
  /** The master key epoch in force; read from the key store, so that what was erased meanwhile is forgotten here too. */
  epoch(): Promise<number>;
  close(): Promise<void>;
}
