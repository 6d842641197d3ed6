import { setTimeout as sleep } from 'node:timers/promises';
import { HindsightError, isHindsightError } from '#contract/errors.js';
import { keyedDigest } from '#events/keyed-hash.js';
import { openCached, sealCached } from '#sealing/cache-box.js';
import { isDamage } from '#sqlite/damage.js';
import { immediate } from '#sqlite/immediate.js';
import { readableError, type SqliteDatabase } from '#sqlite/open-database.js';
import { truncateLog } from '#sqlite/truncate-log.js';
import type { CacheScope, EmbeddingCache } from '../embedding-cache.js';
import { type CacheLog, cacheFile } from './cache-file.js';
import {
  addRows,
  bytesOf,
  dropMemories,
  dropOldest,
  dropSomeOf,
  noteErasure,
  sealedOf,
  stampOf,
} from './cache-rows.js';

export interface SqliteCacheOptions {
  readonly random: (bytes: number) => Uint8Array;
  readonly log: CacheLog;
  /** Bytes in use beyond which the oldest go; 1 GB by default, some 1.5 million vectors of 384 dimensions (650 bytes each, measured). */
  readonly limit?: number;
  /** Milliseconds that an erasure waits for other processes; 15,000 by default. */
  readonly patience?: number;
}

/** Milliseconds that what only saves time waits for another process. */
const shortPatience = 2_000;
/** Vectors removed in one transaction: it blocks the event loop, and other processes' writes. */
const piece = 500;
/** What goes for each vector that comes while there is too much: more than one, so that it comes to an end. */
const outPerIn = 4;

/** Vectors in cache.db, sealed by keys that end with their bank's secret. Several processes share it. Opened at its first use. */
export function openSqliteEmbeddingCache(path: string, options: SqliteCacheOptions): EmbeddingCache {
  const { random, log, limit = 1_000_000_000, patience = 15_000 } = options;
  const file = cacheFile(path, log);
  let said: string | undefined;

  /** What the cache cannot do costs time and nothing else; said once. */
  async function orElse<T>(without: T, work: (db: SqliteDatabase) => T | Promise<T>): Promise<T> {
    try {
      const done = await work(await file.db());
      said = undefined;
      return done;
    } catch (error) {
      if (isDamage(error)) await file.replace('cache.db is damaged').catch(() => undefined);
      const why = codeOf(error);
      if (said !== why) log.warn({ file: path, why }, 'the cache of vectors is not to be had: they are made anew');
      said = why;
      return without;
    }
  }

  /** @throws HindsightError as `EmbeddingCache.forget` */
  async function erasing(bank: string, drop: (db: SqliteDatabase) => Promise<void>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        const db = await file.db();
        await immediate(db, () => noteErasure(db, bank), { patience });
        await drop(db);
        await emptyLog(db, patience);
        return;
      } catch (error) {
        // Of a file that cannot be read, or not by this release, all goes.
        if (attempt > 3 || !(isDamage(error) || isHindsightError(error, 'newer_format')))
          throw readableError(error, path);
        await file.replace('Nothing can be erased of cache.db');
      }
    }
  }

  return {
    stamp: (bank) => orElse('', (db) => stampOf(db, bank)),
    find(scope, texts) {
      return orElse(
        texts.map(() => undefined),
        (db) => {
          const hashes = texts.map((text) => hashOf(scope, text));
          return sealedOf(db, scope.keys.bank, hashes).map((sealed, at) => opened(scope, hashes[at]!, sealed));
        },
      );
    },
    async keep(scope, stamp, vectors) {
      const { bank } = scope.keys;
      if (vectors.length === 0 || stamp === '') return;
      const rows = vectors.map(({ text, packed, memoryIds }) => {
        const hash = hashOf(scope, text);
        return { hash, sealed: sealCached(scope.keys, packed, place(bank, hash), random), memoryIds };
      });
      await orElse(undefined, (db) =>
        immediate(
          db,
          () => {
            if (stampOf(db, bank) !== stamp) return;
            if (bytesOf(db) > limit) dropOldest(db, outPerIn * rows.length);
            addRows(db, bank, rows);
          },
          { patience: shortPatience },
        ),
      );
    },
    forget: (bank, memoryIds) =>
      erasing(bank, async (db) => {
        for (let from = 0; from < memoryIds.length; from += piece)
          await immediate(db, () => dropMemories(db, memoryIds.slice(from, from + piece)), { patience });
      }),
    forgetBank: (bank) =>
      erasing(bank, async (db) => {
        while ((await immediate(db, () => dropSomeOf(db, bank, piece), { patience })) > 0);
      }),
    async close() {
      file.close();
    },
  };
}

/** Keyed by the bank, so that nobody without its key can try texts out. */
function hashOf({ keys, space, role }: CacheScope, text: string): Uint8Array {
  return keyedDigest(keys.indexKey, 'embedding', [space.model, `${space.dimensions}`, role, text]).subarray(0, 16);
}

/** What a sealed vector is bound to: in another row it does not open. */
function place(bank: string, hash: Uint8Array): string {
  return `hl-embedding-1\n${bank}\n${Buffer.from(hash).toString('hex')}`;
}

function opened({ keys, space }: CacheScope, hash: Uint8Array, sealed: Uint8Array | undefined): Uint8Array | undefined {
  const packed = sealed && openCached(keys, sealed, place(keys.bank, hash));
  // 4 bytes of scale, then one for each dimension.
  return packed?.byteLength === space.dimensions + 4 ? packed : undefined;
}

/** Until the log is empty: what was removed stands in its former pages. @throws HindsightError ledger_busy */
async function emptyLog(db: SqliteDatabase, patience: number): Promise<void> {
  for (const deadline = Date.now() + patience; !truncateLog(db); ) {
    if (Date.now() > deadline)
      throw new HindsightError('ledger_busy', `Another process holds ${db.path}.`, { file: db.path });
    await sleep(2 + Math.random() * 8);
  }
}

function codeOf(error: unknown): string {
  return isHindsightError(error) ? error.code : error instanceof Error ? error.name : 'unknown';
}
