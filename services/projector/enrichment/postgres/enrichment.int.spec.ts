import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModelReader } from '#understanding/enrich/model-reader.js';
import { type PostgresStation, postgresStation } from '#views/postgres/testing/postgres-station.js';
import type { Views } from '#views/views.js';
import { live, type Station, type TestHome, testHome } from '../../test-support/test-home.js';
import { createEnrichment } from '../create-enrichment.js';

/** What is read of the same ledger, over both stores. A double stands in the place of the model: it finds nothing, and says what it was given. */
describe('reading over PostgreSQL', () => {
  let home: TestHome;
  let sqlite: Station;
  let postgres: PostgresStation;

  beforeAll(async () => {
    home = await testHome();
    await live(home.events, 150);
    await home.events.turn('MemoryQuarantined', 'm3');
    sqlite = await home.station();
    postgres = await postgresStation(home);
    await sqlite.projector.catchUp();
    await postgres.projector.catchUp();
  });
  afterAll(async () => {
    await postgres.remove();
    await home.remove();
  });

  /** Texts that a model is given, and what was to be recorded of them: nothing is, so that each store has the same to be read. */
  async function readOver(views: Views, model: string): Promise<[texts: string[], recorded: string[]]> {
    const texts: string[] = [];
    const recorded: string[] = [];
    const reader: ModelReader = {
      fingerprint: model,
      model: 'double',
      bound: () => 1,
      async read({ text }) {
        texts.push(text);
        return { findings: { entities: [], relations: [], dates: [] }, dropped: 0, tokens: { read: 1, written: 1 } };
      },
    };
    const log = { info: () => undefined, warn: () => undefined };
    const { ledger, vault } = home;
    await createEnrichment({
      ledger,
      vault,
      views,
      log,
      reader,
      tokensPerDay: 0,
      now: () => Date.parse('2026-03-01T00:00:00.000Z'),
      async record({ memory_id, version }) {
        recorded.push(`${memory_id} ${version}`);
        return { status: 'passed', memory_id, version };
      },
    }).untilDone();
    return [texts, recorded];
  }

  it('takes the same versions in the same order, and leaves out what another has read', async () => {
    const anew = await readOver(sqlite.views, 'aaaaaaaaaaaaaaaa');
    expect(anew[1].length).toBeGreaterThan(20);
    expect(anew[1].some((each) => each.startsWith('m3 '))).toBe(false);
    expect(await readOver(postgres.views, 'aaaaaaaaaaaaaaaa')).toEqual(anew);
    const rest = await readOver(sqlite.views, '0f1e2d3c4b5a6978');
    expect(rest[1].length).toBeGreaterThan(0);
    expect(rest[1].length).toBeLessThan(anew[1].length);
    expect(await readOver(postgres.views, '0f1e2d3c4b5a6978')).toEqual(rest);
  });

  it('takes up what is brought back, and passes over what was erased meanwhile', async () => {
    await home.events.turn('MemoryReleased', 'm3');
    await home.events.erase('m7');
    await sqlite.projector.catchUp();
    await postgres.projector.catchUp();
    const anew = await readOver(sqlite.views, 'aaaaaaaaaaaaaaaa');
    expect(anew[1].some((each) => each.startsWith('m3 '))).toBe(true);
    expect(anew[1].some((each) => each.startsWith('m7 '))).toBe(false);
    expect(await readOver(postgres.views, 'aaaaaaaaaaaaaaaa')).toEqual(anew);
  });
});
