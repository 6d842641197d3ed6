import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { canMount, smallDisk } from '../small-disk.js';
import { withOwnEngine } from '../with-engine.js';
import { type PostgresEngine, serverUser, startPostgres } from './start-postgres.js';

const rows = 'INSERT INTO filled SELECT repeat(md5(n::text), 30) FROM generate_series(1, 50000) AS n'; // 50 MB

withOwnEngine('postgres')('a full disk under PostgreSQL', () => {
  describe.runIf(canMount)('on a small disk', () => {
    async function query(postgres: PostgresEngine, sql: string): Promise<readonly unknown[]> {
      const client = new pg.Client(postgres.url);
      client.on('error', () => {});
      await client.connect();
      try {
        return (await client.query({ text: sql, rowMode: 'array' })).rows.flat();
      } finally {
        await client.end().catch(() => {});
      }
    }

    it('refuses what needs room in a tablespace, and goes on when there is room', async () => {
      const disk = smallDisk(128, serverUser());
      const postgres = await startPostgres();
      await query(postgres, `CREATE TABLESPACE small LOCATION '${disk.folder}'`);
      await query(postgres, 'CREATE TABLE filled (text text) TABLESPACE small');
      disk.fill();
      await expect(query(postgres, rows)).rejects.toThrow(/No space left on device/);
      expect(await query(postgres, 'SELECT count(*)::integer FROM filled')).toEqual([0]);
      disk.makeRoom();
      await query(postgres, rows);
      expect(await query(postgres, 'SELECT count(*)::integer FROM filled')).toEqual([50_000]);
      await postgres.remove();
      await disk.remove();
    });

    it('dies when its log has no room, and loses nothing committed', async () => {
      const disk = smallDisk(256, serverUser());
      const postgres = await startPostgres({ dataFolder: disk.folder });
      await query(postgres, 'CREATE TABLE filled (text text)');
      await query(postgres, "INSERT INTO filled VALUES ('committed')");
      disk.fill();
      await expect(query(postgres, rows)).rejects.toThrow();
      disk.makeRoom();
      await postgres.stop();
      await postgres.start();
      expect(await query(postgres, 'SELECT text FROM filled')).toEqual(['committed']);
      await postgres.remove();
      await disk.remove();
    });
  });
});
