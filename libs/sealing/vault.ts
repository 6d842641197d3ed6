/** A secret that a content key is derived from; its id stands in the sealed box. */
export interface ContentSecret {
  readonly id: string;
  readonly secret: Uint8Array;
}

/** The keys of one bank. The index and identity keys never rotate; an erase leaves them alone (DESIGN §7). */
export interface BankKeys {
  readonly bank: string;
  /** Salts the content keys of the bank: destroying it ends all of them. */
  readonly secret: Uint8Array;
  /** For ids of memories, idempotency hashes and subjects' hashes. */
  readonly identityKey: Uint8Array;
  /** For terms, slot keys and tags in the views. */
  readonly indexKey: Uint8Array;
}

/**
 * The opened key store of one process. Caches what it opens; every secret that it hands out is durable already.
 * Errors (HindsightError): `master_key_missing`, `master_key_wrong`, `keys_missing` at opening; `key_not_found` later.
 */
export interface Vault {
  /** A key of the whole ledger, made at first use: for bank ids from bank names. */
  ledgerKey(): Promise<Uint8Array>;
  /** The bank's keys, made at first use. */
  bankKeys(bank: string): Promise<BankKeys>;
  /** A subject's secret, made at first use. `subject` is its keyed hash. */
  subjectSecret(bank: string, subject: string): Promise<Uint8Array>;
  /** A secret for a new memory or recall record, out of a batch that is durable already. */
  freshSecret(): Promise<ContentSecret>;
  /** The secret with this id; undefined when it is gone (erased, or another process's store). */
  secret(id: string): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
}
