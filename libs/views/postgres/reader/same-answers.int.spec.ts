import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { QueryPort } from '#contract/query-port.js';
import { keywords } from '#projector/projections/keywords.js';
import { memories } from '#projector/projections/memories.js';
import { stats } from '#projector/projections/stats.js';
import { versions } from '#projector/projections/versions.js';
import { type TestHome, testHome } from '#projector/test-support/test-home.js';
import type { ViewsReader } from '../../reader.js';
import { type PostgresStation, postgresStation } from '../testing/postgres-station.js';
import { anyQuestion, asker, liveOn, queriesOver, randomFrom } from '../testing/questions.js';

type Answer = { readonly code: unknown } | { readonly is: unknown };

/** An answer or its refusal, for comparing. */
async function told(answer: Promise<object>): Promise<Answer> {
  try {
    // How long answers took differs.
    const { recall_id: _, recall: _times, ...is } = (await answer) as Record<string, unknown>;
    return { is };
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === undefined || code === 'internal') throw error;
    return { code };
  }
}

describe('questions over PostgreSQL', () => {
  let home: TestHome;
  let station: PostgresStation;
  let reference: QueryPort;
  let catchUp: () => Promise<void>;
  let asked: QueryPort;
  let reader: ViewsReader;
  const random = randomFrom(20_260_301);

  beforeAll(async () => {
    home = await testHome();
    await home.events.createBank('a bank');
    const sqlite = await home.station();
    catchUp = () => sqlite.projector.catchUp();
    reference = queriesOver(home, sqlite.views);
    station = await postgresStation(home, { batch: 7 });
    const views = await station.query();
    reader = views.reader();
    asked = queriesOver(home, views);
  });
  afterAll(async () => {
    await station.remove();
    await home.remove();
  });

  it('have the same answers, to the last digit of their scores, as over SQLite', async () => {
    let found = 0;
    for (let round = 0; round < 10; round++) {
      for (let event = 0; event < 15; event++) await liveOn(home, random);
      await Promise.all([catchUp(), station.projector.catchUp()]);
      for (let question = 0; question < 40; question++) {
        const input = anyQuestion(random);
        const answer = await asked.search(input, asker);
        expect(await told(Promise.resolve(answer))).toEqual(await told(reference.search(input, asker)));
        found += answer.items.length;
      }
      for (let memory = 0; memory < 12; memory++) {
        const id = `m${memory}`;
        expect(await told(asked.item(id, asker))).toEqual(await told(reference.item(id, asker)));
        expect(await told(asked.history({ memory_id: id }, asker))).toEqual(
          await told(reference.history({ memory_id: id }, asker)),
        );
        expect(await told(asked.history({ key: `slot.${id}` }, asker))).toEqual(
          await told(reference.history({ key: `slot.${id}` }, asker)),
        );
      }
      expect(await asked.matching({ tags: ['red'] }, asker)).toEqual(
        await reference.matching({ tags: ['red'] }, asker),
      );
      expect(await told(asked.stats(asker))).toEqual(await told(reference.stats(asker)));
    }
    expect(found).toBeGreaterThan(400);
  });

  it('show nothing that only some of the projections know, and are those of the basis that they name', async () => {
    const services = [memories, versions, keywords, stats].map((projection) => station.projectorOf(projection));
    for (let round = 0; round < 60; round++) {
      for (let event = 0; event < 1 + random() * 5; event++) await liveOn(home, random);
      for (const service of services) if (random() < 0.4) await service.catchUp();
      await catchUp();
      const input = anyQuestion(random);
      const { items, basis } = await asked.search(input, asker);
      const { as_of: _, ...atBasis } = input;
      const again = await reference.search({ ...atBasis, basis }, asker);
      expect({ items, basis }).toEqual({ items: again.items, basis: again.basis });

      const head = await reader.headMoment('b1');
      const id = `m${Math.floor(random() * 12)}`;
      const history = await told(asked.history({ memory_id: id }, asker));
      if ('is' in history) {
        const { basis: of, ...rest } = history.is as { basis: string };
        expect(rest).toMatchObject(
          (({ basis: _of, ...there }) => there)(await reference.history({ memory_id: id, basis: of }, asker)),
        );
      } else expect(history).toEqual({ code: 'memory_not_found' });
      const item = await told(asked.item(id, asker));
      expect('is' in item).toBe('is' in history);
      const memory = await reader.memory('b1', id);
      expect(memory?.seq ?? 0).toBeLessThanOrEqual(head!.seq);
      expect((await reader.changesOf('b1', id)).every(({ seq }) => seq <= head!.seq)).toBe(true);
      expect((await reader.momentAtTime('b1', '2030-01-01T00:00:00.000Z'))!.seq).toBe(head!.seq);
      await asked.stats(asker);
    }
  });

  it('know a memory as it was at the moment that all projections have passed', async () => {
    await home.events.write('held', { content: 'odd' });
    await home.events.turn('MemoryQuarantined', 'held');
    await home.events.write('held', { content: 'odd still' });
    await station.projector.catchUp();
    const before = new Map<string, unknown>();
    for (let memory = 0; memory < 12; memory++) before.set(`m${memory}`, await reader.memory('b1', `m${memory}`));
    before.set('held', await reader.memory('b1', 'held'));
    expect(before.get('held')).toMatchObject({ version: 2, status: 'quarantined' });
    await home.events.write('held', { content: 'odd again' });
    await home.events.turn('MemoryReleased', 'held');
    for (let event = 0; event < 30; event++) await liveOn(home, random);
    await home.events.write('newcomer', { content: 'not there yet', key: 'new' });
    await station.projectorOf(memories).catchUp();
    for (const [id, row] of before) expect(await reader.memory('b1', id)).toEqual(row);
    expect(await reader.memory('b1', 'newcomer')).toBeUndefined();
    await station.projectorOf(versions).catchUp();
    for (const [id, row] of before) expect(await reader.memory('b1', id)).toEqual(row);
    expect(await reader.changesOf('b1', 'newcomer')).toEqual([]);
    expect(await reader.spansOf('b1', 'newcomer')).toEqual([]);
    await station.projector.catchUp();
    expect(await reader.memory('b1', 'newcomer')).toMatchObject({ version: 1, revision: 0 });
  });
});
