import { execFile } from 'node:child_process';
import { cp, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { bundledProgram } from '#test/support/bundled-program.js';
import type { Embedder } from '../embedder.js';
import { type E5Options, openE5 } from './open-e5.js';
import { shippedPlaces } from './places.js';
import { shippedModel } from './shipped-model.js';

let worker: string;

beforeAll(async () => {
  worker = await bundledProgram(new URL('./e5-worker.ts', import.meta.url));
});

afterAll(() => rm(worker, { force: true }));

function opened(options: E5Options = {}): Embedder {
  const embedder = openE5(options);
  onTestFinished(() => embedder.close());
  return embedder;
}

const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, at) => sum + value * b[at]!, 0);

describe.each([
  ['in a thread of its own', () => ({ worker })],
  ['in the calling thread', () => ({})],
])('the shipped model %s', (_, where) => {
  it('loads nothing until it is warmed, and then in the background', async () => {
    const embedder = opened(where());
    expect(embedder.state()).toEqual({ state: 'idle' });
    embedder.warm();
    embedder.warm();
    expect(embedder.state()).toEqual({ state: 'loading' });
    expect(await embedder.space()).toEqual({ model: shippedModel, dimensions: 384 });
    expect(embedder.state()).toEqual({ state: 'ready' });
  });

  it('puts a question next to its answer, across languages, in the order given', async () => {
    const embedder = opened(where());
    const passages = await embedder.embed(
      [
        'The database was moved to PostgreSQL in March.',
        'Her cat likes to sleep in the sun.',
        '他上个月从上海搬到了北京。',
      ],
      'passage',
    );
    const [database, move, chinese] = await embedder.embed(
      ['which database do we use now', '哪个城市是他的新家', '猫喜欢做什么'],
      'query',
    );
    const nearest = (question: Float32Array): number => {
      const scores = passages.map((passage) => cosine(passage, question));
      return scores.indexOf(Math.max(...scores));
    };
    expect([database!, chinese!, move!].map(nearest)).toEqual([0, 1, 2]);
    for (const vector of passages) expect(Math.sqrt(cosine(vector, vector))).toBeCloseTo(1, 5);
  });

  it('lets a question pass what waits in the background', async () => {
    const embedder = opened(where());
    await embedder.space();
    const finished: string[] = [];
    const background = Array.from({ length: 8 }, (_item, at) =>
      embedder
        .embed([`Note ${at}: the build was green again.`], 'passage', { background: true })
        .then(() => finished.push('background')),
    );
    const question = embedder.embed(['was the build green?'], 'query').then(() => finished.push('question'));
    await Promise.all([...background, question]);
    expect(finished.indexOf('question')).toBeLessThanOrEqual(1);
  });

  it('takes back what was not begun when it is aborted', async () => {
    const embedder = opened(where());
    await embedder.space();
    const controller = new AbortController();
    const many = embedder.embed(Array(50).fill('a text'), 'passage', { background: true, signal: controller.signal });
    controller.abort();
    await expect(many).rejects.toThrow(/aborted/);
    await expect(embedder.embed(['another'], 'query', { signal: controller.signal })).rejects.toThrow(/aborted/);
    expect(await embedder.embed(['another'], 'query')).toHaveLength(1);
  });

  it('says that a file is damaged, and embeds nothing with it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'e5-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await cp(shippedPlaces().folder, folder, { recursive: true });
    const file = await open(join(folder, 'model.bin'), 'r+');
    await file.write(Buffer.from([1]), 0, 1, 20_000_001);
    await file.close();
    const embedder = opened({ ...where(), folder });
    await expect(embedder.embed(['a text'], 'query')).rejects.toMatchObject({
      code: 'embeddings_unavailable',
      message: expect.stringMatching(/model\.bin is damaged/),
    });
    expect(embedder.state()).toEqual({ state: 'failed', reason: expect.stringMatching(/damaged/) });
    await expect(embedder.space()).rejects.toMatchObject({ code: 'embeddings_unavailable' });
  });

  it('says that there is no model where it was looked for', async () => {
    const embedder = opened({ ...where(), folder: join(tmpdir(), 'no-such-model') });
    await expect(embedder.embed(['a text'], 'query')).rejects.toMatchObject({
      code: 'embeddings_unavailable',
      message: expect.stringMatching(/no-such-model/),
    });
  });

  it('makes a unit vector of any text', async () => {
    const texts = {
      nothing: '',
      spaces: '   ',
      'an emoji': '😀',
      'half of a character': '\ud83d',
      '20,000 characters': '记忆 memory '.repeat(2_000),
      'what looks like a piece of its own': '<s> </s> <pad> <unk>',
      zeros: '\0\0',
      'a script whose pieces were left out': 'ฉันรักแมว',
    };
    const vectors = await opened(where()).embed(Object.values(texts), 'passage');
    const lengths = vectors.map((vector) => Math.sqrt(cosine(vector, vector)));
    for (const [at, what] of Object.keys(texts).entries()) expect(lengths[at], what).toBeCloseTo(1, 5);
  });

  it('refuses what is asked after it was closed, and what still waited', async () => {
    const embedder = openE5(where());
    await embedder.space();
    const waiting = embedder.embed(Array(20).fill('a text'), 'passage');
    const refused = expect(waiting).rejects.toMatchObject({ code: 'embeddings_unavailable' });
    await embedder.close();
    await refused;
    await expect(embedder.embed(['a text'], 'query')).rejects.toMatchObject({ code: 'embeddings_unavailable' });
  });
});

it('gives the same bits wherever it runs, and another space to texts that are cut elsewhere', async () => {
  const texts = ['The quick brown fox', '今天天气很好'];
  const there = opened({ worker });
  const here = opened();
  expect(await there.embed(texts, 'query')).toEqual(await here.embed(texts, 'query'));
  expect(await there.space()).toEqual(await here.space());
  expect((await opened({ pieces: 512 }).space()).model).not.toBe((await here.space()).model);
});

it('fails in words when its thread ends', async () => {
  const embedder = opened({ worker: join(tmpdir(), 'no-such-worker.mjs') });
  await expect(embedder.embed(['a text'], 'query')).rejects.toMatchObject({
    code: 'embeddings_unavailable',
    message: expect.stringMatching(/no-such-worker/),
  });
});

it('keeps a process alive while one waits, and no longer', async () => {
  const program = await bundledProgram(new URL('./test-support/embed-once.ts', import.meta.url));
  onTestFinished(() => rm(program));
  expect((await promisify(execFile)(process.execPath, [program, worker])).stdout).toBe('384');
});
