import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '#config/load-config.js';
import { shippedPlaces } from '#understanding/embeddings/e5/places.js';
import {
  type EmbeddingServer,
  json,
  startEmbeddingServer,
} from '#understanding/embeddings/openai/test-support/embedding-server.js';
import { openSqliteEmbeddingCache } from '#understanding/embeddings/sqlite/sqlite-embedding-cache.js';
import { checkCache, checkEmbeddings } from './check-embeddings.js';

let folder: string;
let server: EmbeddingServer;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hl-doctor-'));
  server = await startEmbeddingServer();
});
afterEach(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const config = (flags: Record<string, unknown>) => loadConfig({ flags: { home: folder, ...flags }, env: {} }).config;
const brief = (found: readonly { status: string; says: string }[]) =>
  found.map(({ status, says }) => `${status}: ${says}`);

describe('embeddings', () => {
  it('are well where there are to be none', async () => {
    expect(brief(await checkEmbeddings(config({ embeddings: 'none' })))).toEqual([
      'well: none: memories are found by keywords alone',
    ]);
  });

  it('of the model that ships are tried', async () => {
    expect(brief(await checkEmbeddings(config({})))).toEqual([
      expect.stringMatching(/^well: e5 is whole and runs here/),
    ]);
  });

  it('of a model that is damaged, or not there, are wrong', async () => {
    writeFileSync(join(folder, 'SHA256SUMS'), `${'0'.repeat(64)}  model.bin\n`);
    writeFileSync(join(folder, 'model.bin'), 'no weights');
    const damaged = () => ({ ...shippedPlaces(), folder });
    expect(brief(await checkEmbeddings(config({}), { places: damaged }))).toEqual([
      expect.stringMatching(/^wrong: e5 cannot be used: .*model\.bin is damaged/),
    ]);
    const missing = () => ({ ...shippedPlaces(), folder: join(folder, 'nowhere') });
    expect(brief(await checkEmbeddings(config({}), { places: missing }))).toEqual([
      expect.stringMatching(/^wrong: e5 cannot be used: .*no such file/),
    ]);
  });

  it('of a server are asked for: what it answers with, or what is wrong', async () => {
    expect(brief(await checkEmbeddings(config({ embeddings: server.url })))).toEqual([
      expect.stringMatching(/^well: 127\.0\.0\.1:\d+ answers with 64 dimensions/),
    ]);
    server.behave = (_, response) => json(response, 401, { error: { message: 'no' } });
    expect(brief(await checkEmbeddings(config({ embeddings: server.url })))).toEqual([
      expect.stringMatching(/^wrong: The embedding server .* it answered 401/),
    ]);
    server.behave = () => new Promise(() => undefined);
    expect(brief(await checkEmbeddings(config({ embeddings: server.url }), { patience: 200 }))).toEqual([
      expect.stringMatching(/^wrong: The embedding server .* did not answer within 0\.2 s/),
    ]);
  });

  it('of a server far away are warned of where anybody may read along, and where roles are not told apart', async () => {
    const far = config({ embeddings: 'http://models.invalid/v1', embeddingsModel: 'intfloat/multilingual-e5-large' });
    const [unreachable, ...advice] = brief(await checkEmbeddings(far, { patience: 100 }));
    expect(unreachable).toMatch(/^wrong/);
    expect(advice).toEqual([
      expect.stringMatching(/^warning: .*sent to models\.invalid unencrypted/),
      expect.stringMatching(/^warning: intfloat\/multilingual-e5-large is told neither/),
    ]);
    const told = config({
      embeddings: 'https://models.invalid/v1',
      embeddingsModel: 'e5',
      embeddingsInputTypes: 'query,passage',
    });
    expect(await checkEmbeddings(told, { patience: 100 })).toHaveLength(1);
  });
});

describe('the cache', () => {
  it('is counted, warned of where it cannot be read, and not missed', async () => {
    const path = join(folder, 'cache.db');
    expect(checkCache(path)).toEqual([]);
    const cache = openSqliteEmbeddingCache(path, {
      random: (bytes) => Buffer.alloc(bytes, 7),
      log: { warn: () => undefined },
    });
    await cache.stamp('one');
    await cache.close();
    expect(brief(checkCache(path))).toEqual([expect.stringMatching(/^well: 0 vectors in /)]);
    writeFileSync(path, 'x'.repeat(9_000));
    expect(checkCache(path)).toMatchObject([
      { status: 'warning', mend: expect.stringMatching(/an empty one takes its place/) },
    ]);
  });
});
