import { timingSafeEqual } from 'node:crypto';
import type { Sources } from '#contract/sources.js';
import { immediate } from '#sqlite/immediate.js';
import type { SqliteDatabase } from '#sqlite/open-database.js';
import {
  checkedToken,
  keptToken,
  listedToken,
  nameInForce,
  noSuchToken,
  rolesOf,
  rowOf,
  type TokenRow,
} from '../token-row.js';
import { newToken, tokenHash } from '../token-secret.js';
import type { TokenStore } from '../token-store.js';

/** Tokens in keys.db. `db` comes from `openKeysDatabase` of libs/sealing, and is closed with the store. */
export function sqliteTokenStore(db: SqliteDatabase, sources: Sources): TokenStore {
  const now = () => new Date(sources.now()).toISOString();
  const inForce = (row: TokenRow) => row.revoked === null && (row.expires === null || row.expires > now());
  const named = (name: string) =>
    (db.prepare('SELECT * FROM tokens WHERE name = ?').all(name) as unknown as TokenRow[]).find(inForce);
  const byId = (id: string) => db.prepare('SELECT * FROM tokens WHERE id = ?').get(id) as TokenRow | undefined;

  return {
    async create(asked) {
      const given = checkedToken(asked, now());
      const token = newToken(sources.random);
      const id = sources.uuid();
      return immediate(db, () => {
        if (named(given.name)) throw nameInForce(given.name);
        db.prepare(
          'INSERT INTO tokens (id, hash, name, bank, roles, created, expires) VALUES (?, ?, ?, ?, ?, ?, ?)',
        ).run(id, tokenHash(token)!, given.name, given.bank, given.roles.join(','), now(), given.expires ?? null);
        return { token, listed: listedToken(byId(id)!) };
      });
    },

    async list(bank) {
      const rows = db.prepare('SELECT * FROM tokens ORDER BY created, id').all() as unknown as TokenRow[];
      return rows.filter((row) => bank === undefined || row.bank === bank).map(listedToken);
    },

    revoke: (idOrName) =>
      immediate(db, () => {
        const found = byId(idOrName) ?? named(idOrName);
        if (!found) throw noSuchToken(idOrName);
        db.prepare('UPDATE tokens SET revoked = ? WHERE id = ? AND revoked IS NULL').run(now(), found.id);
        return listedToken(byId(found.id)!);
      }),

    async authenticate(token) {
      const hash = tokenHash(token);
      if (!hash) return undefined;
      const row = db.prepare('SELECT * FROM tokens WHERE hash = ?').get(hash) as TokenRow | undefined;
      if (!row || !timingSafeEqual(row.hash, hash) || !inForce(row)) return undefined;
      await noteUse(db, row, now().slice(0, 10));
      return { tokenId: row.id, bank: row.bank, roles: rolesOf(row), principal: `token:${row.name}` };
    },

    kept: async () => (db.prepare('SELECT * FROM tokens ORDER BY id').all() as unknown as TokenRow[]).map(keptToken),

    keep: (tokens) =>
      immediate(db, () => {
        for (const token of tokens) {
          db.prepare(
            `INSERT INTO tokens (id, hash, name, bank, roles, created, expires, revoked, last_used)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
          ).run(...rowOf(token));
          if (token.revoked !== undefined)
            db.prepare('UPDATE tokens SET revoked = ? WHERE id = ? AND revoked IS NULL').run(token.revoked, token.id);
        }
      }),

    close: async () => db.close(),
  };
}

/** Once a day, and never in the way: a busy or a full disk is no reason to refuse a good token. */
async function noteUse(db: SqliteDatabase, row: TokenRow, day: string): Promise<void> {
  if (row.last_used === day) return;
  await immediate(db, () => db.prepare('UPDATE tokens SET last_used = ? WHERE id = ?').run(day, row.id), {
    patience: 50,
  }).catch(() => undefined);
}
