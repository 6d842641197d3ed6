import { timingSafeEqual } from 'node:crypto';
import type { Sources } from '#contract/sources.js';
import type { KeysConnection, KeysPool } from '#sealing/postgres/keys-pool.js';
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

const tokens = 'hindsight_keys.tokens';
const oneWriter = `LOCK TABLE ${tokens} IN SHARE ROW EXCLUSIVE MODE`;

/** Tokens in the database of the keys. `pool` comes from `openKeysDatabase` of libs/sealing, and is closed with the store. */
export function postgresTokenStore(pool: KeysPool, sources: Sources): TokenStore {
  const now = () => new Date(sources.now()).toISOString();
  const inForce = (row: TokenRow) => row.revoked === null && (row.expires === null || row.expires > now());
  const found = async (connection: KeysConnection, column: 'id' | 'name' | 'hash', value: unknown) =>
    connection.rows<TokenRow>(`SELECT * FROM ${tokens} WHERE ${column} = $1`, [value]);
  const named = async (connection: KeysConnection, name: string) =>
    (await found(connection, 'name', name)).find(inForce);

  return {
    async create(asked) {
      const given = checkedToken(asked, now());
      const token = newToken(sources.random);
      const id = sources.uuid();
      return pool.transaction(async (connection) => {
        // Also of several that are made at once only one may have the name.
        await connection.rows(oneWriter);
        const [before] = await found(connection, 'id', id);
        if (before) return { token, listed: listedToken(before) };
        if (await named(connection, given.name)) throw nameInForce(given.name);
        const [made] = await connection.rows<TokenRow>(
          `INSERT INTO ${tokens} (id, hash, name, bank, roles, created, expires) VALUES ($1, $2, $3, $4, $5, $6, $7)
           RETURNING *`,
          [id, tokenHash(token), given.name, given.bank, given.roles.join(','), now(), given.expires ?? null],
        );
        return { token, listed: listedToken(made!) };
      });
    },

    async list(bank) {
      const rows = await pool.read((connection) =>
        connection.rows<TokenRow>(`SELECT * FROM ${tokens} ORDER BY created COLLATE "C", id COLLATE "C"`),
      );
      return rows.filter((row) => bank === undefined || row.bank === bank).map(listedToken);
    },

    revoke: (idOrName) =>
      pool.transaction(async (connection) => {
        await connection.rows(oneWriter);
        const token = (await found(connection, 'id', idOrName))[0] ?? (await named(connection, idOrName));
        if (!token) throw noSuchToken(idOrName);
        await connection.rows(`UPDATE ${tokens} SET revoked = $1 WHERE id = $2 AND revoked IS NULL`, [now(), token.id]);
        return listedToken((await found(connection, 'id', token.id))[0]!);
      }),

    async authenticate(token) {
      const hash = tokenHash(token);
      if (!hash) return undefined;
      const [row] = await pool.read((connection) => found(connection, 'hash', hash));
      if (!row || !timingSafeEqual(row.hash, hash) || !inForce(row)) return undefined;
      await noteUse(pool, row, now().slice(0, 10));
      return { tokenId: row.id, bank: row.bank, roles: rolesOf(row), principal: `token:${row.name}` };
    },

    async kept() {
      return (await pool.read((connection) => connection.rows<TokenRow>(`SELECT * FROM ${tokens} ORDER BY id`))).map(
        keptToken,
      );
    },

    keep: (given) =>
      pool.transaction(async (connection) => {
        await connection.rows(oneWriter);
        for (const token of given) {
          await connection.rows(
            `INSERT INTO ${tokens} (id, hash, name, bank, roles, created, expires, revoked, last_used)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (id) DO NOTHING`,
            rowOf(token),
          );
          if (token.revoked !== undefined)
            await connection.rows(`UPDATE ${tokens} SET revoked = $1 WHERE id = $2 AND revoked IS NULL`, [
              token.revoked,
              token.id,
            ]);
        }
      }),

    close: () => pool.close(),
  };
}

/** Once a day, and never in the way: what cannot be written is no reason to refuse a good token. */
async function noteUse(pool: KeysPool, row: TokenRow, day: string): Promise<void> {
  if (row.last_used === day) return;
  await pool
    .transaction((connection) =>
      connection.rows(
        `UPDATE ${tokens} SET last_used = $1 WHERE id = (SELECT id FROM ${tokens} WHERE id = $2 FOR UPDATE SKIP LOCKED)`,
        [day, row.id],
      ),
    )
    .catch(() => undefined);
}
