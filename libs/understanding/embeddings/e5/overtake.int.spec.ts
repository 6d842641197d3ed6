import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { bundledProgram } from '#test/support/bundled-program.js';
import type { Embedder } from '../embedder.js';
import { loadModel, type Model } from './model.js';
import { type E5Options, openE5 } from './open-e5.js';
import { shippedPlaces } from './places.js';
import { enableRelaxedSimd } from './test-support/relaxed-simd.js';

const layers = 12;
/** Of as many pieces as are taken: 512. */
const long = '数据库 database, '.repeat(200);
const middling = long.slice(0, 600);
/** One of them is longer than the text that it overtakes. */
const questions = ['who moved it?', '哪个数据库', 'Which database do we use now? '.repeat(2), long.slice(0, 900)];

let worker: string;
let dying: string;
const alone = new Map<string, Model>();

beforeAll(async () => {
  enableRelaxedSimd();
  worker = await bundledProgram(new URL('./e5-worker.ts', import.meta.url));
  dying = await bundledProgram(new URL('./test-support/dying-worker.ts', import.meta.url));
  for (const build of ['plain', 'relaxed'] as const)
    alone.set(build, await loadModel({ ...shippedPlaces(), pieces: 512, build }));
});

afterAll(() => Promise.all([worker, dying].map((file) => rm(file, { force: true }))));

function opened(options: E5Options): Embedder {
  const embedder = openE5({ pieces: 512, ...options });
  onTestFinished(() => embedder.close());
  return embedder;
}

const bits = (vector: Float32Array): Uint32Array => new Uint32Array(vector.buffer);

describe.each(['plain', 'relaxed'] as const)('by the %s build', (build) => {
  it('gives the bits of a text that is computed alone, and of what is asked before each of its layers', () => {
    const model = alone.get(build)!;
    const byItself = questions.map((question) => bits(model.embed(question, 'query')));
    for (const text of [middling, 'a short text']) {
      const expected = bits(model.embed(text, 'passage'));
      let at = 0;
      const vector = model.embed(text, 'passage', () => {
        const which = at++ % questions.length;
        expect(bits(model.embed(questions[which]!, 'query'))).toEqual(byItself[which]);
      });
      expect(bits(vector)).toEqual(expected);
      expect(at).toBe(layers);
    }
  });

  it('gives the same bits through the thread, whatever overtakes', async () => {
    const model = alone.get(build)!;
    const embedder = opened({ worker, build });
    await embedder.space();
    const texts = [long, middling];
    const background = embedder.embed(texts, 'passage', { background: true });
    const asked: Float32Array[] = [];
    for (const question of questions) asked.push(...(await embedder.embed([question], 'query')));
    expect((await background).map(bits)).toEqual(texts.map((text) => bits(model.embed(text, 'passage'))));
    expect(asked.map(bits)).toEqual(questions.map((text) => bits(model.embed(text, 'query'))));
  });
});

it('computes the next text rightly when what came in between has failed, or the text with it', () => {
  const model = alone.get('plain')!;
  const expected = bits(model.embed('a text', 'passage'));
  const failing = (): void => {
    throw new Error('no more');
  };
  expect(() => model.embed(long, 'passage', failing)).toThrow('no more');
  expect(
    bits(model.embed('a text', 'passage', () => expect(() => model.embed(long, 'query', failing)).toThrow())),
  ).toEqual(expected);
});

it('answers what is asked while a text of 512 pieces is computed before that text', async () => {
  const embedder = opened({ worker });
  await embedder.space();
  const answered: string[] = [];
  const ask = (name: string, background: boolean, texts: string[]) =>
    embedder.embed(texts, background ? 'passage' : 'query', { background }).then(() => answered.push(name));
  await Promise.all([ask('text', true, [long]), ask('first', false, ['who?']), ask('second', false, ['where?'])]);
  expect(answered).toEqual(['first', 'second', 'text']);
});

it('loses no text of the background, however much is asked meanwhile', async () => {
  const embedder = opened({ worker });
  await embedder.space();
  let isMade = false;
  const text = embedder.embed([long], 'passage', { background: true }).then(() => {
    isMade = true;
  });
  let asked = 0;
  // With another question waiting all the time: the text is overtaken once before each of its layers.
  const askOn = async (): Promise<void> => {
    while (!isMade) {
      await embedder.embed(['who?'], 'query');
      asked++;
    }
  };
  await Promise.all([text, askOn(), askOn(), askOn()]);
  expect(asked).toBeGreaterThan(0);
});

it('takes back what was asked when it is aborted, and goes on with the text', async () => {
  const embedder = opened({ worker });
  await embedder.space();
  const background = embedder.embed([long], 'passage', { background: true });
  const controller = new AbortController();
  const question = embedder.embed(['who?', 'where?'], 'query', { signal: controller.signal });
  controller.abort();
  await expect(question).rejects.toThrow(/aborted/);
  expect(await background).toHaveLength(1);
  expect(await embedder.embed(['who?'], 'query')).toHaveLength(1);
});

it('refuses the text, what has overtaken it and what waits when the thread ends', async () => {
  const embedder = opened({ worker: dying });
  await embedder.space();
  const all = [
    embedder.embed(['a text', 'another'], 'passage', { background: true }),
    embedder.embed(['who?'], 'query'),
    embedder.embed(['where?'], 'query'),
  ];
  for (const result of await Promise.allSettled(all))
    expect(result).toMatchObject({
      reason: { code: 'embeddings_unavailable', message: expect.stringMatching(/ended with code 3/) },
    });
  await expect(embedder.embed(['who?'], 'query')).rejects.toMatchObject({ code: 'embeddings_unavailable' });
});

it('refuses the text and what has overtaken it when it is closed', async () => {
  const embedder = openE5({ worker, pieces: 512 });
  await embedder.space();
  const both = [embedder.embed([long], 'passage', { background: true }), embedder.embed([long], 'query')];
  const settled = Promise.allSettled(both);
  await new Promise(setImmediate);
  await embedder.close();
  for (const result of await settled)
    expect(result).toMatchObject({
      reason: { code: 'embeddings_unavailable', message: expect.stringMatching(/closed/) },
    });
});
