import type { Role } from '#contract/caller.js';

/** An access token as it is listed: never the token itself, which is kept nowhere. Times are ISO, UTC. */
export interface Token {
  readonly id: string;
  /** Readable; the principal of what it writes is `token:<name>`. No two tokens in force share one. */
  readonly name: string;
  readonly bank: string;
  readonly roles: readonly Role[];
  readonly created: string;
  readonly expires?: string;
  readonly revoked?: string;
  /** The day (UTC) of its last use, as YYYY-MM-DD. */
  readonly lastUsed?: string;
}

/** A token as it is kept, for another store to keep it too. */
export interface KeptToken extends Token {
  readonly hash: Uint8Array;
}

export interface NewToken {
  readonly name: string;
  readonly bank: string;
  readonly roles: readonly Role[];
  /** ISO, UTC; never by default. */
  readonly expires?: string;
}

/** What a connection that showed a token may do. */
export interface Authenticated {
  readonly tokenId: string;
  readonly bank: string;
  readonly roles: readonly Role[];
  readonly principal: string;
}

/**
 * Access tokens, shared by processes. Adapters pass token-store.contract.ts, unchanged.
 * Errors (HindsightError): `invalid_input` with what is wrong · `not_writable` · `disk_full` · `ledger_busy`.
 */
export interface TokenStore {
  /** The token (`hl_…`) is given this once: only its hash is kept. */
  create(token: NewToken): Promise<{ readonly token: string; readonly listed: Token }>;
  /** All tokens, or those of one bank, oldest first; revoked and expired ones too. */
  list(bank?: string): Promise<readonly Token[]>;
  /** By id or by name; a name means the token in force. @throws HindsightError invalid_input when there is none */
  revoke(idOrName: string): Promise<Token>;
  /** Undefined for a token that was never given, is revoked or has expired. */
  authenticate(token: string): Promise<Authenticated | undefined>;
  /** All tokens with their hashes: for whoever copies them to another store. */
  kept(): Promise<readonly KeptToken[]>;
  /** Keeps tokens of another store with their ids and hashes; of one that is there already, only its revocation is taken over. */
  keep(tokens: readonly KeptToken[]): Promise<void>;
  close(): Promise<void>;
}
