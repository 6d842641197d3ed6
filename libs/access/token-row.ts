import type { Role } from '#contract/caller.js';
import { HindsightError } from '#contract/errors.js';
import type { KeptToken, NewToken, Token } from './token-store.js';

/** A token as databases keep it. Times are ISO, UTC; `roles` are separated by commas. */
export interface TokenRow {
  readonly id: string;
  readonly hash: Uint8Array;
  readonly name: string;
  readonly bank: string;
  readonly roles: string;
  readonly created: string;
  readonly expires: string | null;
  readonly revoked: string | null;
  readonly last_used: string | null;
}

const maxName = 64;

/** @throws HindsightError invalid_input · invalid_time */
export function checkedToken(asked: NewToken, now: string): NewToken {
  const name = asked.name.trim();
  if (name === '' || name.length > maxName || /\p{Cc}/u.test(name) || !name.isWellFormed())
    throw new HindsightError(
      'invalid_input',
      `name is ${JSON.stringify(asked.name)}; it takes 1 to ${maxName} printable characters.`,
    );
  if (asked.roles.length === 0)
    throw new HindsightError('invalid_input', 'roles is empty; a token needs at least one.');
  if (asked.expires !== undefined && asked.expires <= now)
    throw new HindsightError('invalid_time', `expires is ${asked.expires}, which is past.`);
  return { ...asked, name };
}

export function nameInForce(name: string): HindsightError {
  return new HindsightError(
    'invalid_input',
    `A token named ${JSON.stringify(name)} is in force: revoke it, or choose another name.`,
  );
}

export function noSuchToken(idOrName: string): HindsightError {
  return new HindsightError('invalid_input', `No token in force has the id or name ${JSON.stringify(idOrName)}.`);
}

export function rolesOf(row: TokenRow): Role[] {
  return row.roles.split(',') as Role[];
}

export function listedToken(row: TokenRow): Token {
  return {
    id: row.id,
    name: row.name,
    bank: row.bank,
    roles: rolesOf(row),
    created: row.created,
    ...(row.expires !== null && { expires: row.expires }),
    ...(row.revoked !== null && { revoked: row.revoked }),
    ...(row.last_used !== null && { lastUsed: row.last_used }),
  };
}

export function keptToken(row: TokenRow): KeptToken {
  return { ...listedToken(row), hash: row.hash };
}

/** The values of a row's columns, in the order of `TokenRow`. */
export function rowOf(token: KeptToken): (string | Uint8Array | null)[] {
  const { id, hash, name, bank, roles, created, expires, revoked, lastUsed } = token;
  return [id, hash, name, bank, roles.join(','), created, expires ?? null, revoked ?? null, lastUsed ?? null];
}
