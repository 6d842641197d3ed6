import { timingSafeEqual } from 'node:crypto';
import type { Role } from '#contract/caller.js';
import { HindsightError } from '#contract/errors.js';
import type { Sources } from '#contract/sources.js';
import { immediate } from '#sqlite/immediate.js';
import type { SqliteDatabase } from '#sqlite/open-database.js';
import { newToken, tokenHash } from '../token-secret.js';
import type { NewToken, Token, TokenStore } from '../token-store.js';

interface Row {
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

/** Tokens in keys.db. `db` comes from `openKeysDatabase` of libs/sealing, and is closed with the store. */
export function sqliteTokenStore(db: SqliteDatabase, sources: Sources): TokenStore {
  const now = () => new Date(sources.now()).toISOString();
  const inForce = (row: Row) => row.revoked === null && (row.expires === null || row.expires > now());
  const named = (name: string) =>
    (db.prepare('SELECT * FROM tokens WHERE name = ?').all(name) as unknown as Row[]).find(inForce);
  const byId = (id: string) => db.prepare('SELECT * FROM tokens WHERE id = ?').get(id) as Row | undefined;

  return {
    async create(asked) {
      const given = checked(asked, now());
      const token = newToken(sources.random);
      const id = sources.uuid();
      return immediate(db, () => {
        if (named(given.name))
          throw new HindsightError(
            'invalid_input',
            `A token named ${JSON.stringify(given.name)} is in force: revoke it, or choose another name.`,
          );
        db.prepare(
          'INSERT INTO tokens (id, hash, name, bank, roles, created, expires) VALUES (?, ?, ?, ?, ?, ?, ?)',
        ).run(id, tokenHash(token)!, given.name, given.bank, given.roles.join(','), now(), given.expires ?? null);
        return { token, listed: listed(byId(id)!) };
      });
    },

    async list(bank) {
      const rows = db.prepare('SELECT * FROM tokens ORDER BY created, id').all() as unknown as Row[];
      return rows.filter((row) => bank === undefined || row.bank === bank).map(listed);
    },

    revoke: (idOrName) =>
      immediate(db, () => {
        const found = byId(idOrName) ?? named(idOrName);
        if (!found)
          throw new HindsightError(
            'invalid_input',
            `No token in force has the id or name ${JSON.stringify(idOrName)}.`,
          );
        db.prepare('UPDATE tokens SET revoked = ? WHERE id = ? AND revoked IS NULL').run(now(), found.id);
        return listed(byId(found.id)!);
      }),

    async authenticate(token) {
      const hash = tokenHash(token);
      if (!hash) return undefined;
      const row = db.prepare('SELECT * FROM tokens WHERE hash = ?').get(hash) as Row | undefined;
      if (!row || !timingSafeEqual(row.hash, hash) || !inForce(row)) return undefined;
      await noteUse(db, row, now().slice(0, 10));
      return { tokenId: row.id, bank: row.bank, roles: rolesOf(row), principal: `token:${row.name}` };
    },

    close: async () => db.close(),
  };
}

/** Once a day, and never in the way: a busy or a full disk is no reason to refuse a good token. */
async function noteUse(db: SqliteDatabase, row: Row, day: string): Promise<void> {
  if (row.last_used === day) return;
  await immediate(db, () => db.prepare('UPDATE tokens SET last_used = ? WHERE id = ?').run(day, row.id), {
    patience: 50,
  }).catch(() => undefined);
}

const maxName = 64;

function checked(asked: NewToken, now: string): NewToken {
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

function rolesOf(row: Row): Role[] {
  return row.roles.split(',') as Role[];
}

function listed(row: Row): Token {
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
