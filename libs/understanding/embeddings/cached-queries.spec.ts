import { beforeEach, describe, expect, it } from 'vitest';
import { cachedQueries } from './cached-queries.js';
import type { Embedder, VectorSpace } from './embedder.js';

let asked: { texts: readonly string[]; role: string; space: VectorSpace | undefined }[];
let space: VectorSpace;
let failing: boolean;
/** Each vector is another one, so that it is seen which was given. */
const counting: Embedder = {
  name: 'counting',
  space: async () => space,
  state: () => ({ state: 'ready' }),
  warm: () => undefined,
  async embed(texts, role, options) {
    asked.push({ texts, role, space: options?.space });
    await Promise.resolve();
    if (failing) throw new Error('away');
    return texts.map((_, at) => Float32Array.of(asked.length, at));
  },
  close: async () => undefined,
};
beforeEach(() => {
  asked = [];
  space = { model: 'aa', dimensions: 2 };
  failing = false;
});

describe('cached questions', () => {
  it('asks for the same question once, also of several at once, and for another space again', async () => {
    const embedder = cachedQueries(counting);
    const [one, two] = await Promise.all([embedder.embed(['tea'], 'query'), embedder.embed(['tea'], 'query')]);
    expect(two).toEqual(one);
    expect(await embedder.embed(['tea'], 'query')).toEqual(one);
    expect(asked).toHaveLength(1);
    space = { model: 'bb', dimensions: 2 };
    expect(await embedder.embed(['tea'], 'query')).not.toEqual(one);
    expect(await embedder.embed(['tea'], 'query', { space: { model: 'aa', dimensions: 2 } })).toEqual(one);
    expect(asked.map((each) => each.space?.model)).toEqual(['aa', 'bb']);
  });

  it('passes on what is no single question', async () => {
    const embedder = cachedQueries(counting);
    await embedder.embed(['tea'], 'passage', { background: true });
    await embedder.embed(['tea'], 'passage');
    await embedder.embed(['tea', 'coffee'], 'query');
    expect(asked.map(({ texts, role }) => `${role} ${texts.join()}`)).toEqual([
      'passage tea',
      'passage tea',
      'query tea,coffee',
    ]);
  });

  it('lets what was longest unused go', async () => {
    const embedder = cachedQueries(counting, { max: 2 });
    for (const text of ['a', 'b', 'a', 'c', 'a', 'b']) await embedder.embed([text], 'query');
    expect(asked.map(({ texts }) => texts[0])).toEqual(['a', 'b', 'c', 'b']);
  });

  it('keeps no failure', async () => {
    const embedder = cachedQueries(counting);
    failing = true;
    await expect(embedder.embed(['tea'], 'query')).rejects.toThrow('away');
    failing = false;
    expect(await embedder.embed(['tea'], 'query')).toHaveLength(1);
    expect(asked).toHaveLength(2);
  });

  it('gives what one may stop to nobody else', async () => {
    const embedder = cachedQueries(counting);
    const { signal } = new AbortController();
    await Promise.all([embedder.embed(['tea'], 'query', { signal }), embedder.embed(['tea'], 'query', { signal })]);
    expect(asked).toHaveLength(2);
    await embedder.embed(['tea'], 'query', { signal });
    expect(asked).toHaveLength(2);
  });
});
