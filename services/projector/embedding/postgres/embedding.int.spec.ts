import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { passageSpace } from '#understanding/embeddings/passages.js';
import { fakeEmbedder } from '#understanding/embeddings/test-support/fake-embedder.js';
import { type PostgresStation, postgresStation } from '#views/postgres/testing/postgres-station.js';
import type { ViewsReader } from '#views/reader.js';
import type { Views } from '#views/views.js';
import { openedVectors } from '../../test-support/opened-vectors.js';
import { live, type Station, type TestHome, testHome } from '../../test-support/test-home.js';
import { createEmbedding } from '../create-embedding.js';

/** The same ledger embedded into both stores. */
describe('embedding into PostgreSQL', () => {
  const space = passageSpace({ model: 'fa4e', dimensions: 32 });
  const log = { info: () => undefined, warn: () => undefined };
  let home: TestHome;
  let sqlite: Station;
  let postgres: PostgresStation;
  let reader: ViewsReader;

  beforeAll(async () => {
    home = await testHome();
    await live(home.events, 200);
    sqlite = await home.station();
    postgres = await postgresStation(home);
    reader = await postgres.reader();
  });
  afterAll(async () => {
    await postgres.remove();
    await home.remove();
  });

  const embed = async (views: Views): Promise<number> => {
    const embedder = fakeEmbedder();
    await createEmbedding({ ledger: home.ledger, vault: home.vault, views, embedder, log }).untilDone();
    return embedder.asked.length;
  };
  const embedBoth = async (): Promise<number[]> => {
    await sqlite.projector.catchUp();
    await postgres.projector.catchUp();
    return [await embed(sqlite.views), await embed(postgres.views)];
  };
  const vectors = async (of: ViewsReader) =>
    (await openedVectors(of, home.vault, 'b1', space)).map(({ doc, packed, changed }) => [doc, packed, changed]);
  const expectSame = async (): Promise<void> => {
    const expected = await vectors(sqlite.views.reader());
    expect(expected.length).toBeGreaterThan(100);
    expect(await vectors(reader)).toEqual(expected);
    expect(await reader.vectorState('b1', space)).toEqual(await sqlite.views.reader().vectorState('b1', space));
  };

  it('comes to the same vectors, to the bit, as who only reads sees them', async () => {
    const [one, other] = await embedBoth();
    expect(other).toBe(one);
    await expectSame();
  });

  it('loses and makes anew the same after an erasure', async () => {
    await home.events.erase('m63');
    await home.events.erase('m59');
    await sqlite.projector.catchUp();
    await postgres.projector.catchUp();
    await expectSame();
    const [one, other] = await embedBoth();
    expect(other).toBe(one);
    expect(one).toBeGreaterThan(0);
    await expectSame();
  });

  it('keeps them through a replay', async () => {
    const before = await vectors(reader);
    await postgres.projector.replay();
    expect(await vectors(reader)).toEqual(before);
    expect(await embed(postgres.views)).toBe(0);
  });

  it('shows none of another bank, and lets who only reads write none', async () => {
    expect(await reader.vectorsFrom('b2', space, 0, 9)).toEqual([]);
    const query = await postgres.query();
    expect(await query.vectors.spaces()).toEqual([space]);
    const from = await reader.vectorState('b1', space);
    await expect(query.vectors.put('b1', space, { from, rows: [], mark: from.mark })).rejects.toMatchObject({
      code: 'not_writable',
    });
    await expect(query.vectors.drop(space)).rejects.toMatchObject({ code: 'not_writable' });
  });
});
