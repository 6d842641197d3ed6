import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '#config/load-config.js';
import { type ChatServer, startChatServer } from '#understanding/enrich/test-support/chat-server.js';
import { contentsCheck } from '../proof/check-contents.js';
import { type Embedded, openEmbedded } from './open-embedded.js';
import { plainLog } from './plain-log.js';

/**
 * A home that a language model is configured for. The server stands for it: of a text with `moonbase` it finds the name and the day of May
 * that no rule finds there, and of any other nothing.
 */
let folder: string;
let model: ChatServer;
const open: Embedded[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hl-enriched-'));
  model = await startChatServer(({ body }) => {
    const { text } = JSON.parse(body.messages[1]!.content) as { text: string };
    const isAbout = text.includes('moonbase');
    const day = { from: '2024-05-07T00:00:00Z', to: '2024-05-08T00:00:00Z', grain: 'day', exact: true };
    const found = {
      entities: isAbout ? [{ name: 'moonbase', kind: 'work' }] : [],
      relations: [],
      dates: isAbout ? [{ ...day, quote: 'the day after labour day' }] : [],
    };
    return { content: JSON.stringify(found) };
  });
});
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
  await model[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

async function opened(more: object = {}): Promise<Embedded> {
  const flags = { home: folder, embeddings: 'none', llmUrl: model.url, llmModel: 'stand-in', sealEvents: 0, ...more };
  const home = await openEmbedded({
    config: loadConfig({ flags, env: {} }).config,
    log: plainLog('silent', () => undefined),
  });
  open.push(home);
  return home;
}

async function read(home: Embedded): Promise<void> {
  await home.projector.catchUp({ everything: true });
  await home.enrichment!.untilDone();
  await home.projector.catchUp({ everything: true });
}

const about = 'the moonbase was opened the day after labour day';
const says = async (home: Embedded, content: string, more: object = {}): Promise<string> =>
  (await home.commands.write({ content, ...more }, home.caller('write'))).memory_id!;
/** Legs by which each memory is found. */
async function found(home: Embedded, query: string, more: object = {}) {
  const { items, basis } = await home.queries.search(
    { query, min_score: 0, explain: true, ...more },
    home.caller('search'),
  );
  return { basis, legs: new Map(items.map(({ id, explain }) => [id, explain!.legs])), items };
}

describe('what a language model finds', () => {
  it('serves questions from the moment on that it is on record, and no basis from before', async () => {
    const home = await opened();
    const id = await says(home, about, { occurred_at: '2023-01-01T00:00:00Z' });
    await says(home, 'tea is in the kitchen');
    const named = 'What do we know about Moonbase?';
    const dated = 'What was opened in May 2024?';
    const before = [await found(home, named), await found(home, dated)];
    expect(before[0]!.legs.get(id)).not.toHaveProperty('graph');
    expect(before[1]!.legs.get(id)!.time!.score).toBeLessThan(0.01);
    await read(home);
    expect(model.asked).toHaveLength(2);
    expect((await found(home, named)).legs.get(id)).toMatchObject({ graph: { rank: 1, score: 1 } });
    expect((await found(home, dated)).legs.get(id)).toMatchObject({ time: { rank: 1, score: 1 } });
    for (const [at, query] of [named, dated].entries()) {
      const again = await found(home, query, { basis: before[at]!.basis });
      expect(again.items).toEqual(before[at]!.items);
    }
    expect(await home.queries.stats(home.caller('stats'))).toMatchObject({
      enrichment: { model: 'stand-in', done: 2, of: 2, tokens_today: 300, tokens: 300, tokens_per_day: 1_000_000 },
    });
  });

  it('is the same after a replay, and is not asked for again, by another process either', async () => {
    const home = await opened();
    const id = await says(home, about);
    await read(home);
    const before = await found(home, 'about Moonbase');
    const replayed = await home.projector.replay({ check: true });
    expect(replayed.projections.map(({ matches }) => matches)).toEqual(replayed.projections.map(() => true));
    const other = await opened();
    await read(other);
    expect(model.asked).toHaveLength(1);
    const again = await found(other, 'about Moonbase', { basis: before.basis });
    expect(again.items).toEqual(before.items);
    expect(again.legs.get(id)).toHaveProperty('graph');
  });

  it('goes with the memory when that is erased, and is never asked for of what is held back', async () => {
    const home = await opened();
    const id = await says(home, about, { subjects: ['Ada'] });
    const held = await says(home, 'sentinel-held moonbase');
    await home.commands.review({ memory_id: held, verdict: 'quarantine', reason: 'odd' }, home.caller('review'));
    await read(home);
    expect(JSON.stringify(model.asked)).not.toContain('sentinel-held');
    const who = home.caller('erase');
    const ask = { subject: 'Ada', reason: 'asked to' };
    const { confirm } = await home.commands.erase(ask, who);
    expect(await home.commands.erase({ ...ask, confirm }, who)).toMatchObject({ status: 'erased', forgotten: [id] });
    await home.projector.catchUp({ everything: true });
    const rows = await home.views.reader().findingsAfter(home.bank, 0);
    expect(rows.map(({ memoryId, names, times }) => [memoryId, names, times])).toEqual([[id, [], []]]);
    const contents = contentsCheck(home.vault);
    for await (const stored of home.ledger.readAll()) await contents.take(stored);
    expect(contents.found()).toMatchObject({ faults: [] });
    const replayed = await home.projector.replay({ check: true });
    expect(replayed.projections.map(({ matches }) => matches)).toEqual(replayed.projections.map(() => true));
    await read(home);
    expect(model.asked).toHaveLength(1);
  });

  it('stands in no file in the clear, and tells the model neither bank nor keys nor tags', async () => {
    const home = await opened({ bank: 'sentinel-bank' });
    await says(home, about, { key: 'sentinel.key', tags: ['sentinel-tag'], metadata: { note: 'sentinel-meta' } });
    await read(home);
    expect(model.asked).toHaveLength(1);
    expect(JSON.stringify(model.asked)).not.toContain('sentinel');
    expect(JSON.stringify(model.asked)).not.toContain(home.bank);
    await home.close();
    open.length = 0;
    for (const name of readdirSync(folder))
      expect(readFileSync(join(folder, name)).includes('moonbase'), name).toBe(false);
  });

  it('is not asked for where nothing is configured', async () => {
    const home = await opened({ llmUrl: undefined, llmModel: undefined });
    await says(home, about);
    expect(home.enrichment).toBeUndefined();
    expect(await home.queries.stats(home.caller('stats'))).not.toHaveProperty('enrichment');
  });
});
