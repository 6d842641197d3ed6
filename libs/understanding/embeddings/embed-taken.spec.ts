import { fc, test } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import { HindsightError } from '#contract/errors.js';
import { embedTaken } from './embed-taken.js';
import type { Embedder } from './embedder.js';

/** Refuses texts that begin with `no`, not all of them at the first try. */
function fussy(atOnce: number): Embedder {
  return {
    name: 'fussy',
    space: async () => ({ model: 'aa', dimensions: 1 }),
    state: () => ({ state: 'ready' }),
    warm: () => undefined,
    async embed(texts) {
      const refused = texts.flatMap((text, at) => (text.startsWith('no') ? [at] : [])).slice(0, atOnce);
      if (refused.length > 0) throw new HindsightError('embeddings_unavailable', 'Some are not taken.', { refused });
      return texts.map((text) => Float32Array.of(text.length));
    },
    close: async () => undefined,
  };
}

test.prop([fc.array(fc.oneof(fc.constant('no'), fc.string({ maxLength: 5 }))), fc.integer({ min: 1, max: 4 })])(
  'gives the vectors of all others, each in its place',
  async (texts, atOnce) => {
    const vectors = await embedTaken(fussy(atOnce), texts, 'passage');
    expect(vectors.map((each) => each?.[0])).toEqual(
      texts.map((text) => (text.startsWith('no') ? undefined : text.length)),
    );
  },
);

it('passes on that a server is away', async () => {
  const away = {
    ...fussy(1),
    embed: () => Promise.reject(new HindsightError('embeddings_unavailable', 'It is away.')),
  };
  await expect(embedTaken(away, ['a'], 'passage')).rejects.toThrow('It is away.');
});
