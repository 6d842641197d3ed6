import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Vault } from '#sealing/vault.js';
import { vectorBoxes } from '#sealing/vector-box.js';
import type { EmbeddingCache } from '#understanding/embeddings/embedding-cache.js';
import { passageSpace } from '#understanding/embeddings/passages.js';
import { packVector } from '#understanding/embeddings/scan/packed-vector.js';
import type { FakeEmbedder } from '#understanding/embeddings/test-support/fake-embedder.js';
import { fakeEmbedder } from '#understanding/embeddings/test-support/fake-embedder.js';
import type { Views } from '#views/views.js';
import { openedVectors } from '../test-support/opened-vectors.js';
import { type Station, type TestHome, testHome } from '../test-support/test-home.js';
import { vaultWithout } from '../test-support/vault-without.js';
import { createEmbedding, type Embedding, type EmbeddingTimes } from './create-embedding.js';

const quick: EmbeddingTimes = { firstLook: 0, lookEvery: 20, backOff: 10, longestBackOff: 40 };

describe('embedding', () => {
  let home: TestHome;
  let station: Station;
  let embedder: FakeEmbedder;
  const space = passageSpace({ model: 'fa4e', dimensions: 32 });

  beforeEach(async () => {
    home = await testHome();
    station = await home.station();
    embedder = fakeEmbedder();
  });
  afterEach(() => home.remove());

  const embeddingOf = (
    over: {
      embedder?: FakeEmbedder;
      views?: Views;
      vault?: Vault;
      cache?: EmbeddingCache;
      times?: EmbeddingTimes;
    } = {},
  ): Embedding =>
    createEmbedding(
      {
        ledger: home.ledger,
        vault: over.vault ?? home.vault,
        views: over.views ?? station.views,
        embedder: over.embedder ?? embedder,
        cache: over.cache,
        log: {
          info: (_fields, sentence) => station.logged.push(sentence),
          warn: (_fields, sentence) => station.logged.push(sentence),
        },
      },
      over.times ?? quick,
    );
  const texts = (of = embedder) => of.asked.map(({ text }) => text);
  const state = (bank = 'b1', of = space) => station.views.reader().vectorState(bank, of);
  const vectors = async (bank = 'b1', of = space) =>
    new Map(
      (await openedVectors(station.views.reader(), home.vault, bank, of)).map(({ doc, packed }) => [doc, packed]),
    );
  const embedded = async (text: string): Promise<string> => {
    const [vector] = await fakeEmbedder().embed([text], 'passage');
    return Buffer.from(packVector(vector!)).toString('hex');
  };
  const until = async (what: () => Promise<boolean> | boolean): Promise<void> => {
    for (let tries = 0; !(await what()); tries++) {
      if (tries > 500) throw new Error('it never came to that');
      await sleep(10);
    }
  };

  it('embeds a turn with the one before it of its session and another memory, all else alone, in the order of docs', async () => {
    await home.events.write('a', { content: 'where do you live', session: 's1' });
    await home.events.write('x', { content: 'tea is served at four', key: 'tea.time' });
    await home.events.write('b', { content: 'in Lisbon', session: 's1' });
    await home.events.write('b', { content: 'in Porto', session: 's1' });
    await home.events.write('c', { content: 'another talk', session: 's2' });
    await home.events.write('d', { content: 'nice there', session: 's1' });
    await station.projector.catchUp();
    await embeddingOf().untilDone();
    expect(texts()).toEqual([
      'where do you live',
      'tea is served at four',
      'where do you live\nin Lisbon',
      'where do you live\nin Porto',
      'another talk',
      'in Porto\nnice there',
    ]);
    expect(embedder.asked.every(({ role }) => role === 'passage')).toBe(true);
    expect(await state()).toEqual({ mark: 6, changes: 0, blanked: 0 });
    expect((await vectors()).get(5)).toBe(await embedded('in Porto\nnice there'));
  });

  it('goes on where it was left, with what was said before that', async () => {
    const first = embeddingOf();
    await home.events.write('a', { content: 'one', session: 's1' });
    await home.events.write('b', { content: 'two', session: 's1' });
    await home.events.write('b', { content: 'two again', session: 's1' });
    await station.projector.catchUp();
    await first.untilDone();
    await home.events.write('b', { content: 'two at last', session: 's1' });
    await home.events.write('c', { content: 'three', session: 's1' });
    await station.projector.catchUp();
    await embeddingOf().untilDone();
    expect(texts().slice(3)).toEqual(['one\ntwo at last', 'two at last\nthree']);
  });

  it('embeds what is written while it runs, and nothing twice', async () => {
    const stop = new AbortController();
    const embedding = embeddingOf({ times: { ...quick, lookEvery: 60_000 } });
    const running = embedding.background(stop.signal);
    for (let at = 0; at < 5; at++) {
      await home.events.write(`m${at}`, { content: `text ${at}` });
      await station.projector.catchUp();
      embedding.wake();
      await until(async () => (await state()).mark === at + 1);
    }
    stop.abort();
    await running;
    expect(texts()).toEqual(['text 0', 'text 1', 'text 2', 'text 3', 'text 4']);
    // The lease is free at once.
    expect(await station.views.lease('embed', 'another', 1_000)).toBe(true);
  });

  it('does not load the model while there is nothing to embed', async () => {
    const cold = fakeEmbedder({ cold: true });
    const stop = new AbortController();
    const running = embeddingOf({ embedder: cold }).background(stop.signal);
    await sleep(100);
    expect(cold.warmed).toBe(0);
    await home.events.write('a', { content: 'text' });
    await station.projector.catchUp();
    await until(async () => (await state()).mark === 1);
    expect(cold.warmed).toBeGreaterThan(0);
    stop.abort();
    await running;
  });

  it('leaves the mark where it is while the model cannot be had, says so once, and goes on when it can', async () => {
    await home.events.write('a', { content: 'text' });
    await station.projector.catchUp();
    embedder.fail('the server is down');
    const stop = new AbortController();
    const running = embeddingOf().background(stop.signal);
    await sleep(200);
    expect((await state()).mark).toBe(0);
    expect(station.logged.filter((line) => line.startsWith('embedding failed'))).toHaveLength(1);
    embedder.fail(undefined);
    await until(async () => (await state()).mark === 1);
    stop.abort();
    await running;
  });

  it('fails in the foreground with what is wrong', async () => {
    await home.events.write('a', { content: 'text' });
    await station.projector.catchUp();
    embedder.fail('the server is down');
    await expect(embeddingOf().untilDone()).rejects.toThrow('the server is down');
  });

  it('tells the foreground how far it is, and ends where it is told to', async () => {
    for (let at = 0; at < 150; at++) await home.events.write(`m${at}`, { content: `text ${at}` });
    await station.projector.catchUp();
    const told: string[] = [];
    await embeddingOf().untilDone({ onProgress: ({ done, of }) => told.push(`${done}/${of}`) });
    expect(told).toEqual(['0/150', '64/150', '128/150']);
    await home.events.write('late', { content: 'late' });
    await station.projector.catchUp();
    const slow = fakeEmbedder({ perText: 60_000 });
    await embeddingOf({ embedder: slow }).untilDone({ signal: AbortSignal.timeout(50) });
    expect((await state()).mark).toBe(150);
  });

  it('leaves nothing of what was erased, and makes anew what was embedded with it', async () => {
    await home.events.write('a', { content: 'where do you live', session: 's1' });
    await home.events.write('b', { content: 'in Lisbon', session: 's1' });
    await home.events.write('c', { content: 'nice there', session: 's1' });
    await station.projector.catchUp();
    const embedding = embeddingOf();
    await embedding.untilDone();
    const before = await vectors();
    const copied = await station.views.reader().vectorsFrom('b1', space, 0, 9);
    for (const file of ['views.db', 'views.db-wal']) {
      const bytes = readFileSync(`${home.folder}/${file}`);
      for (const packed of before.values()) expect(bytes.includes(Buffer.from(packed, 'hex'))).toBe(false);
    }
    await home.events.erase('b');
    await home.vault.destroy({ secrets: home.events.secretsOf('b'), subjects: [], banks: [] });
    // Nor of a copy of the views from before.
    const boxes = vectorBoxes(home.vault, 'b1', space);
    const opened = [];
    for (const { doc, sealed } of copied) opened.push(await boxes.open(doc, sealed));
    expect(opened.map((each) => (typeof each === 'string' ? each : 'open'))).toEqual(['open', 'gone', 'gone']);
    await station.projector.catchUp();
    expect([...(await vectors()).keys()]).toEqual([0]);
    expect(await state()).toEqual({ mark: 3, changes: 1, blanked: 1 });
    await embedding.untilDone();
    expect(await vectors()).toEqual(
      new Map([
        [0, before.get(0)],
        [2, await embedded('nice there')],
      ]),
    );
    expect(await state()).toEqual({ mark: 3, changes: 2, blanked: 1 });
    for (const file of ['views.db', 'views.db-wal']) {
      const bytes = readFileSync(`${home.folder}/${file}`);
      if (file === 'views.db') expect(bytes.includes(Buffer.from(copied[0]!.sealed))).toBe(true);
      for (const { sealed } of copied.slice(1)) expect(bytes.includes(Buffer.from(sealed.subarray(-100)))).toBe(false);
    }
  });

  it('embeds nothing that was erased before it came to it, and no window that held it', async () => {
    await home.events.write('a', { content: 'where do you live', session: 's1' });
    await home.events.write('b', { content: 'in Lisbon', session: 's1' });
    await home.events.write('c', { content: 'nice there', session: 's1' });
    await home.events.write('d', { content: 'it is', session: 's1' });
    await station.projector.catchUp();
    const ended = { secrets: new Set(home.events.secretsOf('a')), banks: new Set<string>() };
    await home.events.erase('a');
    // The views have not heard of it.
    await embeddingOf({ vault: vaultWithout(home.vault, ended) }).untilDone();
    expect(texts()).toEqual(['in Lisbon', 'in Lisbon\nnice there', 'nice there\nit is']);
    await station.projector.catchUp();
    await embeddingOf().untilDone();
    expect(embedder.asked).toHaveLength(3);
    expect([...(await vectors()).keys()]).toEqual([1, 2, 3]);
  });

  it('puts no vector of a text that was erased while it was embedded', async () => {
    await home.events.write('a', { content: 'where do you live', session: 's1' });
    await home.events.write('b', { content: 'in Lisbon', session: 's1' });
    await station.projector.catchUp();
    const racing = fakeEmbedder();
    let isErased = false;
    const embed: FakeEmbedder['embed'] = async (given, role, options) => {
      const made = await racing.embed(given, role, options);
      if (!isErased) {
        isErased = true;
        await home.events.erase('a');
        await station.projector.catchUp();
      }
      return made;
    };
    await embeddingOf({ embedder: { ...racing, embed } }).untilDone();
    expect(await vectors()).toEqual(new Map([[1, await embedded('in Lisbon')]]));
  });

  it('makes a vector without a neighbour whose key went while it was embedded', async () => {
    await home.events.write('a', { content: 'where do you live', session: 's1' });
    await home.events.write('b', { content: 'in Lisbon', session: 's1' });
    await station.projector.catchUp();
    const racing = fakeEmbedder();
    const embed: FakeEmbedder['embed'] = async (given, role, options) => {
      const made = await racing.embed(given, role, options);
      await home.events.erase('a');
      // The views have not heard of it.
      await home.vault.destroy({ secrets: home.events.secretsOf('a'), subjects: [], banks: [] });
      return made;
    };
    await embeddingOf({ embedder: { ...racing, embed } }).untilDone();
    expect(racing.asked.map(({ text }) => text)).toEqual([
      'where do you live',
      'where do you live\nin Lisbon',
      'in Lisbon',
    ]);
    expect(await vectors()).toEqual(new Map([[1, await embedded('in Lisbon')]]));
  });

  it('passes over a version that is damaged, and says so', async () => {
    await home.events.write('a', { content: 'one' });
    await home.events.write('b', { content: 'two' });
    await station.projector.catchUp();
    const ended = { secrets: new Set(home.events.secretsOf('a')), banks: new Set<string>() };
    await embeddingOf({ vault: vaultWithout(home.vault, ended) }).untilDone();
    expect([...(await vectors()).keys()]).toEqual([1]);
    expect((await state()).mark).toBe(2);
    expect(station.logged).toContain('a version does not open, and is not embedded');
  });

  it('leaves out what the model takes in no form, and says which', async () => {
    for (const text of ['one', 'a poisonous one', 'two']) await home.events.write(text, { content: text });
    await station.projector.catchUp();
    await embeddingOf({ embedder: fakeEmbedder({ refuses: 'poison' }) }).untilDone();
    expect([...(await vectors()).keys()]).toEqual([0, 2]);
    expect((await state()).mark).toBe(3);
    expect(station.logged).toContain('the model takes these versions in no form: keywords find them');
  });

  it('keeps what it made through a replay of the views', async () => {
    for (let at = 0; at < 20; at++)
      await home.events.write(`m${at % 7}`, { content: `text ${at}`, session: `s${at % 3}` });
    await station.projector.catchUp();
    await embeddingOf().untilDone();
    const before = await vectors();
    await station.projector.replay();
    expect(await vectors()).toEqual(before);
    const count = embedder.asked.length;
    await embeddingOf().untilDone();
    expect(embedder.asked).toHaveLength(count);
  });

  it('makes all anew by another model, and lets go of the former one once it has caught up', async () => {
    for (let at = 0; at < 5; at++) await home.events.write(`m${at}`, { content: `text ${at}` });
    await station.projector.catchUp();
    await embeddingOf().untilDone();
    await home.events.write('m5', { content: 'text 5' });
    await station.projector.catchUp();
    const next = fakeEmbedder({ model: 'ne4t', dimensions: 16 });
    const nextSpace = passageSpace({ model: 'ne4t', dimensions: 16 });
    next.fail('not yet');
    await expect(embeddingOf({ embedder: next }).untilDone()).rejects.toThrow('not yet');
    expect(await station.views.vectors.spaces()).toEqual([space]);
    expect((await vectors()).size).toBe(5);
    next.fail(undefined);
    await embeddingOf({ embedder: next }).untilDone();
    expect((await vectors('b1', nextSpace)).size).toBe(6);
    expect(await station.views.vectors.spaces()).toEqual([nextSpace]);
    expect((await vectors()).size).toBe(0);
  });

  it('removes what a former model made, though nothing is left to embed', async () => {
    await home.events.write('a', { content: 'one' });
    await station.projector.catchUp();
    await embeddingOf({ embedder: fakeEmbedder({ model: 'fo4mer' }) }).untilDone();
    await station.views.vectors.make(space);
    const { mark } = await state();
    const [vector] = await fakeEmbedder().embed(['one'], 'passage');
    const rows = [{ doc: 0, sealed: packVector(vector!) }];
    await station.views.vectors.put('b1', space, { from: { mark, changes: 0 }, rows, mark: 1 });
    const stop = new AbortController();
    const running = embeddingOf().background(stop.signal);
    await until(async () => (await station.views.vectors.spaces()).length === 1);
    stop.abort();
    await running;
    expect(await station.views.vectors.spaces()).toEqual([space]);
    expect(embedder.asked).toEqual([]);
  });

  it('keeps the lease from nobody while it has nothing to do', async () => {
    await home.events.write('a', { content: 'one' });
    await station.projector.catchUp();
    const stop = new AbortController();
    const running = embeddingOf().background(stop.signal);
    await until(async () => (await state()).mark === 1);
    await until(() => station.views.lease('embed', 'another', 60_000));
    stop.abort();
    await running;
  });

  it('gives way to another model that was put in the place of its own, and says so', async () => {
    await home.events.write('a', { content: 'one' });
    await station.projector.catchUp();
    const mine = embeddingOf();
    await mine.untilDone();
    await embeddingOf({ embedder: fakeEmbedder({ model: 'ne4t' }) }).untilDone();
    await home.events.write('b', { content: 'two' });
    await station.projector.catchUp();
    await expect(mine.untilDone()).rejects.toThrow('Another process on these views embeds by another model');
  });

  it('takes from the cache what was embedded before, also when the views are made anew', async () => {
    const kept = new Map<string, Uint8Array>();
    const cache: EmbeddingCache = {
      stamp: async () => 'now',
      find: async (_scope, asked) => asked.map((text) => kept.get(text)),
      async keep(_scope, stamp, made) {
        expect(stamp).toBe('now');
        for (const { text, packed } of made) kept.set(text, packed);
      },
      forget: async () => undefined,
      forgetBank: async () => undefined,
      close: async () => undefined,
    };
    for (let at = 0; at < 5; at++) await home.events.write(`m${at}`, { content: `text ${at}`, session: 's1' });
    await station.projector.catchUp();
    await embeddingOf({ cache }).untilDone();
    const before = await vectors();
    const elsewhere = await home.station({ file: 'anew.db' });
    await elsewhere.projector.catchUp();
    await embeddingOf({ cache, views: elsewhere.views }).untilDone();
    expect(embedder.asked).toHaveLength(5);
    const rows = await openedVectors(elsewhere.views.reader(), home.vault, 'b1', space);
    expect(rows.map(({ packed }) => packed)).toEqual([...before.values()]);
  });
});
