import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeBasis } from '#contract/basis.js';
import type { Caller } from '#contract/caller.js';
import { createEmbedding } from '#projector/embedding/create-embedding.js';
import { type Station, type TestHome, testHome } from '#projector/test-support/test-home.js';
import { type FakeEmbedder, fakeEmbedder } from '#understanding/embeddings/test-support/fake-embedder.js';
import { bankIndexes } from '../bank-index/bank-indexes.js';
import { standing } from '../bank-index/visibility.js';
import type { QueryDeps } from '../query-deps.js';
import { isAltered } from './altered.js';
import { openView, type View, withoutVectors } from './open-view.js';
import type { AskedBasis } from './resolve-basis.js';
import { loadingNote, nothingNote } from './view-vectors.js';

const caller: Caller = { bank: 'b1', principal: 'ann', roles: ['reader'] };

describe('vectors of a view', () => {
  let home: TestHome;
  let station: Station;
  let embedder: FakeEmbedder;
  let indexes: ReturnType<typeof bankIndexes>;

  beforeEach(async () => {
    home = await testHome();
    station = await home.station();
    embedder = fakeEmbedder();
    indexes = bankIndexes(home.vault);
  });
  afterEach(() => home.remove());

  const log = { info: () => undefined, warn: () => undefined };
  const embed = (by = embedder, at = station) =>
    createEmbedding({ ledger: home.ledger, vault: home.vault, views: at.views, embedder: by, log }).untilDone();
  const view = (asked: AskedBasis = {}, by: FakeEmbedder | 'none' = embedder, at = station): Promise<View> => {
    const deps = {
      ledger: { id: home.ledger.id },
      vault: home.vault,
      embedder: by === 'none' ? undefined : by,
      reader: () => at.views.reader(),
      viewsStamp: () => at.views.stamp(),
      async catchUp() {
        await at.projector.catchUp();
        return undefined;
      },
      sources: { now: () => Date.parse('2026-04-01T00:00:00.000Z') },
    } as unknown as QueryDeps;
    return openView(deps, indexes, asked, caller, { vectors: true });
  };
  const cosines = async ({ vectors, index }: View): Promise<Float32Array | undefined> => {
    const [question] = await embedder.embed(['lisbon two'], 'query');
    return vectors?.index.cosines(question!, index.columns.docs, vectors.mark);
  };
  const found = async (of: View) =>
    [...((await cosines(of)) ?? [])].flatMap((score, doc) => (Number.isNaN(score) ? [] : [doc]));
  const vectorsIn = ({ basis }: View) => decodeBasis(basis, { ledger: home.ledger.id, bank: 'b1' }).vectors;
  const write = async (memoryId: string, content: string, recordedAt?: string) => {
    await home.events.write(memoryId, { content, session: 's1' }, recordedAt);
    await station.projector.catchUp();
  };

  it('are none where nothing embeds, and nothing is said of it', async () => {
    await write('a', 'one');
    const opened = await view({}, 'none');
    expect(opened.vectors).toBeUndefined();
    expect(opened.vectorNote).toBeUndefined();
    expect(opened.basis).toMatch(/^b1\./);
  });

  it('are none while the model is loading: an answer of that time is repeated by keywords, whatever was made since', async () => {
    await write('a', 'one');
    const cold = fakeEmbedder({ cold: true });
    expect((await view({}, cold)).vectorNote).toBe(nothingNote);
    await embed();
    await write('b', 'two');
    const early = await view({}, cold);
    expect(early.vectorNote).toBe(loadingNote);
    expect(cold.warmed).toBe(0);
    await embed();
    expect((await view()).vectors?.mark).toBe(2);
    const again = await view({ basis: early.basis });
    expect(again.vectors).toBeUndefined();
    expect(again.vectorNote).toBeUndefined();
    expect(again.basis).toBe(early.basis);
  });

  it('are those that had been made, for a basis as for the answer that it came from', async () => {
    await write('a', 'one');
    await write('b', 'two in lisbon');
    expect((await view()).vectorNote).toBe(nothingNote);
    await embed();
    await write('c', 'three');
    const early = await view();
    expect(early.vectorNote).toBe('Embeddings are still being made: 2 of 3 are there.');
    expect(await found(early)).toEqual([0, 1]);
    await embed();
    const late = await view();
    expect(late.vectorNote).toBeUndefined();
    expect(await found(late)).toEqual([0, 1, 2]);
    const again = await view({ basis: early.basis });
    expect(await cosines(again)).toEqual(await cosines(early));
    expect(again.basis).toBe(early.basis);
    expect(again.vectorNote).toBeUndefined();
    expect(late.basis).not.toBe(early.basis);
  });

  it('are those of what was known at a moment, and its basis does not change with what is made later', async () => {
    await write('a', 'one', '2026-03-01T00:00:00.000Z');
    await write('b', 'two', '2026-03-05T00:00:00.000Z');
    await embed();
    const asked = { as_of: '2026-03-02T00:00:00.000Z' };
    const then = await view(asked);
    expect(then.vectors?.mark).toBe(1);
    expect(then.vectorNote).toBeUndefined();
    await write('c', 'three', '2026-03-06T00:00:00.000Z');
    await embed();
    expect((await view(asked)).basis).toBe(then.basis);
  });

  it('are refused for a basis that rests on another model’s, and not for one that rests on none', async () => {
    await write('a', 'one');
    const none = await view({}, fakeEmbedder({ cold: true }));
    await embed();
    const some = await view();
    const other = fakeEmbedder({ model: 'ne4t' });
    await embed(other);
    await expect(view({ basis: some.basis }, other)).rejects.toMatchObject({ code: 'recipe_unavailable' });
    await expect(view({ basis: some.basis }, 'none')).rejects.toMatchObject({ code: 'recipe_unavailable' });
    expect((await view({ basis: none.basis }, other)).vectors).toBeUndefined();
    expect((await view({}, other)).vectors?.space).toEqual({ model: 'ne4t', dimensions: 32 });
  });

  it('wait for a model that is loading where an answer is to be repeated', async () => {
    await write('a', 'one');
    await embed();
    const { basis } = await view();
    const cold = fakeEmbedder({ cold: true });
    expect(await found(await view({ basis }, cold))).toEqual([0]);
    expect(cold.warmed).toBe(1);
  });

  it('are none where the model cannot be had, and the answer says why', async () => {
    await write('a', 'one');
    await embed();
    embedder.fail('the server is down');
    const opened = await view();
    expect(opened.vectors).toBeUndefined();
    expect(opened.vectorNote).toBe('Embeddings are not available (the server is down): answered by keywords.');
    expect(vectorsIn(opened)).toBeUndefined();
  });

  it('say that an answer was altered where something was embedded with what was erased since', async () => {
    await write('a', 'one');
    await write('b', 'two');
    await write('c', 'three');
    await embed();
    const before = await view();
    expect(await found(before)).toEqual([0, 1, 2]);
    await home.events.erase('a');
    await station.projector.catchUp();
    const between = await view();
    expect(await found(between)).toEqual([2]);
    expect(between.vectors?.isAltered).toBe(false);
    await embed();
    const after = await view();
    expect(await found(after)).toEqual([1, 2]);
    // What was made anew since does not count at a basis before.
    expect(await cosines(await view({ basis: between.basis }))).toEqual(await cosines(between));
    const again = await view({ basis: before.basis });
    expect(again.vectors?.isAltered).toBe(true);
    expect(await isAltered(again, again.visibility, new Set([standing.current]))).toBe(true);
    expect(await isAltered(after, after.visibility, new Set([standing.current]))).toBe(false);
  });

  it('come back through a replay, and say when fewer are there than an answer rested on', async () => {
    for (const name of ['a', 'b', 'c']) await write(name, `text of ${name}`);
    await embed();
    const before = await view();
    await station.projector.replay();
    expect(await cosines(await view({ basis: before.basis }))).toEqual(await cosines(before));
    const elsewhere = await home.station({ file: 'anew.db' });
    await elsewhere.projector.catchUp();
    indexes = bankIndexes(home.vault);
    const lost = await view({ basis: before.basis }, embedder, elsewhere);
    expect(lost.vectorNote).toBe('Embeddings are being made anew: 0 of the 3 that this answer rested on are there.');
    await embed(embedder, elsewhere);
    expect(await cosines(await view({ basis: before.basis }, embedder, elsewhere))).toEqual(await cosines(before));
  });

  it('are let go of where the question could not be embedded: the answer is repeated by keywords', async () => {
    await write('a', 'one');
    await embed();
    const opened = withoutVectors(await view(), 'not now');
    expect(opened).toMatchObject({ vectorNote: 'not now' });
    expect(opened.vectors).toBeUndefined();
    expect((await view({ basis: opened.basis })).vectors).toBeUndefined();
  });
});
