import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Embedder, EmbedderState, VectorSpace } from '../embedder.js';
import { type OpenAiOptions, openOpenAiEmbedder } from './open-openai.js';
import { probeText } from './probe.js';
import {
  type Behaviour,
  type EmbeddingServer,
  json,
  startEmbeddingServer,
  vectorOf,
} from './test-support/embedding-server.js';

let server: EmbeddingServer;
let logged: string[];
const open: Embedder[] = [];
beforeEach(async () => {
  server = await startEmbeddingServer();
  logged = [];
});
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
  await server.stop();
});

const pace: NonNullable<OpenAiOptions['pace']> = {
  question: { try: 300, all: 300 },
  background: { try: 1_000, all: 5_000 },
  finding: { try: 1_000, all: 200 },
  pause: 50,
};
function embedder(more: Partial<OpenAiOptions> = {}): Embedder {
  const note = (fields: object, message: string) => logged.push(`${message} ${JSON.stringify(fields)}`);
  const one = openOpenAiEmbedder({
    url: server.url,
    forms: { query: { prefix: '' }, passage: { prefix: '' } },
    log: { info: note, warn: note },
    ...more,
    pace: { ...pace, ...more.pace },
  });
  open.push(one);
  return one;
}

const background = { background: true };
const unavailable = (words: RegExp) =>
  expect.objectContaining({ code: 'embeddings_unavailable', message: expect.stringMatching(words) });
const cosine = (one: Float32Array, other: readonly number[]) =>
  one.reduce((sum, each, at) => sum + each * other[at]!, 0) / Math.hypot(...one) / Math.hypot(...other);
async function becomes(of: Embedder, state: EmbedderState): Promise<void> {
  for (let tries = 0; of.state().state !== state && tries < 400; tries++) await sleep(10);
  expect(of.state().state).toBe(state);
}
/** Of texts, without the probes. */
const inputs = () => server.asked.map(({ body }) => body.input.filter((each) => each !== probeText));

describe('an OpenAI-compatible server', () => {
  it('gives unit vectors in the order asked for, whatever order it answers in', async () => {
    server.behave = ({ body }, response) =>
      json(response, 200, {
        data: body.input.map((text, index) => ({ index, embedding: vectorOf(server, body, text) })).reverse(),
      });
    const texts = ['one', 'two', '三'];
    const vectors = await embedder().embed(texts, 'passage', background);
    expect(vectors.map((each) => Math.hypot(...each).toFixed(5))).toEqual(texts.map(() => '1.00000'));
    for (const [at, text] of texts.entries())
      expect(cosine(vectors[at]!, vectorOf(server, { input: [] }, text))).toBeCloseTo(1, 5);
  });

  it('is told questions from texts by prefix or by input_type, which model, and who asks', async () => {
    const one = embedder({
      model: 'large',
      apiKey: 'sk-1234',
      forms: { query: { prefix: 'query: ' }, passage: { prefix: 'passage: ', inputType: 'document' } },
    });
    await one.embed(['q'], 'query');
    await one.embed(['p'], 'passage', background);
    const [query, passage] = server.asked.slice(-2).map(({ body }) => body);
    expect(query).toEqual({ input: ['query: q'], model: 'large' });
    expect(passage).toMatchObject({ input: ['passage: p', `passage: ${probeText}`], input_type: 'document' });
    expect(server.asked.every(({ authorization }) => authorization === 'Bearer sk-1234')).toBe(true);
  });

  it('takes a URL with /embeddings, a query, a user and a password', async () => {
    const url = new URL(`${server.url}/embeddings?api-version=1`);
    url.username = 'ann';
    url.password = 's€cret';
    await embedder({ url: url.href }).space();
    expect(server.asked[0]).toMatchObject({
      path: '/v1/embeddings?api-version=1',
      authorization: `Basic ${Buffer.from('ann:s€cret').toString('base64')}`,
    });
  });

  it('asks for so many texts and characters at once', async () => {
    const one = embedder({ pace: { batch: { texts: 3, characters: 10 } } });
    const texts = ['a', 'b', 'c', 'd', 'efghijklmnop', 'q'];
    expect(await one.embed(texts, 'passage', background)).toHaveLength(6);
    expect(inputs().filter(({ length }) => length > 0)).toEqual([['a', 'b', 'c'], ['d'], ['efghijklmnop'], ['q']]);
  });

  it('finds the one model that is served, and says so where there are several', async () => {
    await embedder().space();
    expect(server.asked[0]!.body.model).toBe('small');
    server.served = ['small', 'large'];
    await expect(embedder().space()).rejects.toThrow(unavailable(/serves 2 models \(small, large\).*EMBEDDINGS_MODEL/));
  });
});

describe('bad days: a server', () => {
  const failing = (times: number, fail: Behaviour): Behaviour => {
    let left = times;
    return (asked, response) => (left-- > 0 ? fail(asked, response) : undefined);
  };

  it.each<[string, Behaviour]>([
    ['has too much to do', (_, response) => json(response, 429, {}, { 'retry-after': '0' })],
    [
      'has too much to do until a date',
      (_, response) => json(response, 429, {}, { 'retry-after': new Date().toUTCString() }),
    ],
    ['has a fault', (_, response) => json(response, 503, {})],
    ['hangs up', (_, response) => !!response.destroy()],
    [
      'hangs up in the midst',
      (_, response) =>
        !!response.writeHead(200, { 'content-length': 99 }).write('{"da') && !!setTimeout(() => response.destroy(), 20),
    ],
  ])('that %s is asked again', async (_, fail) => {
    const one = embedder();
    await one.space();
    server.behave = failing(2, fail);
    expect(await one.embed(['a'], 'passage', background)).toHaveLength(1);
    expect(inputs().slice(2)).toEqual([['a'], ['a'], ['a']]);
  });

  it('that asks to be left alone is left alone: a question does not wait for it', async () => {
    const one = embedder();
    await one.space();
    server.behave = failing(1, (_, response) => json(response, 429, {}, { 'retry-after': '600' }));
    await expect(one.embed(['a'], 'query')).rejects.toThrow(unavailable(/answered 429/));
    await sleep(150);
    expect(server.asked).toHaveLength(3);
    await expect(one.embed(['a'], 'query')).rejects.toThrow(unavailable(/answered 429/));
    expect(server.asked).toHaveLength(3);
  });

  it('that is slow keeps no question waiting, and is found again by itself', async () => {
    const one = embedder();
    const space = await one.space();
    server.behave = () => sleep(3_000).then(() => undefined);
    const began = performance.now();
    await expect(one.embed(['a'], 'query')).rejects.toThrow(unavailable(/did not answer within 0\.3 s/));
    expect(performance.now() - began).toBeLessThan(2_500);
    expect(one.state().reason).toMatch(/did not answer/);
    expect(await one.space()).toEqual(space);
    server.behave = undefined;
    await becomes(one, 'ready');
    expect(await one.embed(['a'], 'query')).toHaveLength(1);
  });

  it('that is down at the start says so, and is found when it is there', async () => {
    await server.stop();
    const one = embedder();
    expect(one.state()).toEqual({ state: 'idle' });
    one.warm();
    await becomes(one, 'failed');
    expect(one.state().reason).toMatch(/127\.0\.0\.1:\d+: it cannot be reached \(ECONNREFUSED\)/);
    await expect(one.space()).rejects.toThrow(unavailable(/ECONNREFUSED/));
    await server.start();
    await becomes(one, 'ready');
    expect(logged.filter((line) => line.startsWith('no embeddings'))).toHaveLength(1);
    expect(logged.at(-1)).toMatch(/answers again/);
  });

  it.each<[string, RegExp, (good: object[]) => unknown]>([
    ['no vector', /0 vectors where 1 were asked for/, () => []],
    ['null in a vector', /no finite number/, (good) => good.map((each) => ({ ...each, embedding: [null, 1] }))],
    ['nothing but 0', /without a direction/, (good) => good.map((each) => ({ ...each, embedding: [0, 0] }))],
    ['another thing altogether', /no list named/, () => 'hello'],
  ])('that answers with %s is not believed', async (_, words, spoil) => {
    const one = embedder();
    await one.space();
    server.behave = ({ body }, response) =>
      json(response, 200, {
        data: spoil(body.input.map((text, index) => ({ index, embedding: vectorOf(server, body, text) }))),
      });
    const failure = await one.embed(['a', 'b'], 'passage', background).catch((error: unknown) => error);
    expect(failure).toEqual(unavailable(words));
    expect(failure).not.toHaveProperty('details.refused');
    expect(one.state()).toMatchObject({ state: 'failed', reason: expect.stringMatching(words) });
  });

  it('that answers NaN to one text spoils no other, and says which it was', async () => {
    server.behave = ({ body }, response) =>
      body.input.includes('bad') ? !!response.writeHead(200).end('{"data": [{"embedding": [NaN, 1]}]}') : undefined;
    const one = embedder();
    const texts = Array.from({ length: 9 }, (_, at) => (at === 5 ? 'bad' : `text ${at}`));
    await expect(one.embed(texts, 'passage', background)).rejects.toMatchObject({
      code: 'embeddings_unavailable',
      details: { refused: [5] },
    });
    expect(one.state().state).toBe('ready');
    expect(
      await one.embed(
        texts.filter((_, at) => at !== 5),
        'passage',
        background,
      ),
    ).toHaveLength(8);
  });

  it.each([
    ['refuses several texts', 400, undefined],
    ['answers several with dimensions that differ', 200, (at: number) => ({ index: at, embedding: at ? [1] : [1, 1] })],
    ['answers several with one place', 200, () => ({ index: 0, embedding: [1, 1] })],
  ])('that %s is asked for one at a time, and takes all', async (_, status, made) => {
    server.behave = ({ body }, response) =>
      body.input.length > 1
        ? json(response, status, made ? { data: body.input.map((_, at) => made(at)) } : { error: {} })
        : undefined;
    const one = embedder();
    const long = 'words and more '.repeat(100);
    for (const texts of [['only'], ['one', 'two', long], Array.from({ length: 9 }, (_, at) => `text ${at}`)]) {
      const vectors = await one.embed(texts, 'passage', background);
      for (const [at, text] of texts.entries())
        expect(cosine(vectors[at]!, vectorOf(server, { input: [] }, text))).toBeCloseTo(1, 5);
    }
    // Whether the model is still the same is looked at all the same.
    server.model = 'other';
    await expect(one.embed(['one', 'two'], 'passage', background)).rejects.toThrow(unavailable(/another one than/));
  });

  it('that takes texts up to a length is given the beginning of longer ones', async () => {
    server.behave = ({ body }, response) =>
      body.input.some(({ length }) => length > 1_000)
        ? json(response, 400, { error: { message: 'too long' } })
        : undefined;
    const long = 'words and more '.repeat(400);
    const vectors = await embedder().embed(['short', long, '𝄞'.repeat(999)], 'passage', background);
    expect(cosine(vectors[1]!, vectorOf(server, { input: [] }, long.slice(0, 750)))).toBeCloseTo(1, 5);
    expect(cosine(vectors[2]!, vectorOf(server, { input: [] }, '𝄞'.repeat(499)))).toBeCloseTo(1, 5);
  });

  it.each([401, 403, 404, 302])(
    'that answers %s is not asked again at once, and its words are shown without the key',
    async (status) => {
      server.behave = (_, response) =>
        json(
          response,
          status,
          { error: { message: 'no access with sk-very-secret' } },
          { location: 'http://127.0.0.1:9/' },
        );
      const one = embedder({ apiKey: 'sk-very-secret' });
      await expect(one.space()).rejects.toThrow(unavailable(new RegExp(`${status} \\(“no access with \\*\\*\\*”\\)`)));
      expect(server.asked).toHaveLength(1);
      expect(logged.join()).not.toContain('secret');
    },
  );

  it('that repeats what it was sent puts none of it into an error or the log', async () => {
    const one = embedder();
    await one.space();
    server.behave = ({ body }, response) =>
      json(response, 500, { error: { message: body.input.join() } }, { 'retry-after': '9' });
    const failure = await one.embed(['planted words'], 'passage', background).catch((error: unknown) => error);
    expect(`${String(failure)} ${JSON.stringify(failure)} ${logged.join()}`).not.toContain('planted');
  });
});

describe('a model that changes under the same name', () => {
  it('is noticed with the next texts, none of which is mixed in, and makes another space', async () => {
    const one = embedder();
    const before = await one.space();
    server.model = 'other';
    await expect(one.embed(['a'], 'passage', background)).rejects.toThrow(unavailable(/another one than before/));
    await becomes(one, 'ready');
    const after = await one.space();
    expect(after.model).not.toBe(before.model);
    await expect(one.embed(['a'], 'passage', { ...background, space: before })).rejects.toThrow(
      unavailable(/another one/),
    );
    expect(await one.embed(['a'], 'passage', { ...background, space: after })).toHaveLength(1);
    expect(logged.join()).toMatch(/all vectors are made anew/);
  });

  it('is noticed when its vectors have other dimensions, also by a question', async () => {
    const one = embedder();
    await one.space();
    server.dimensions = 32;
    await expect(one.embed(['a'], 'query')).rejects.toThrow(unavailable(/another one than before/));
    await becomes(one, 'ready');
    expect(await one.space()).toMatchObject({ dimensions: 32 });
  });

  it('is noticed by a question once in a while', async () => {
    const one = embedder({ pace: { checkEvery: 100 } });
    await one.space();
    server.model = 'other';
    await one.embed(['a'], 'query');
    await sleep(120);
    await expect(one.embed(['a'], 'query')).rejects.toThrow(unavailable(/another one/));
  });

  it('goes back to its former space with its former model', async () => {
    const one = embedder();
    const before = await one.space();
    for (const model of ['other', 'small']) {
      server.model = model;
      await one.embed(['a'], 'passage', background).catch(() => undefined);
      await becomes(one, 'ready');
    }
    expect(await one.space()).toEqual(before);
  });

  it('is the same for a server whose last digits differ from call to call, also in another process that knows the space', async () => {
    server.noise = 0.002;
    const one = embedder();
    const space = await one.space();
    for (let at = 0; at < 20; at++) await one.embed([`text ${at}`], 'passage', background);
    for (let at = 0; at < 10; at++) expect(await embedder({ known: async () => [space] }).space()).toEqual(space);
  });

  it('has one name for two processes, though both named it before there were vectors', async () => {
    server.noise = 0.02;
    const kept: VectorSpace[] = [];
    const [one, other] = [0, 1].map(() => embedder({ known: async () => kept }));
    const names = await Promise.all([one!.space(), other!.space()]);
    expect(names[0]!.model).not.toBe(names[1]!.model);
    kept.push(names[0]!);
    for (let tries = 0; (await other!.space()).model !== names[0]!.model && tries < 100; tries++) await sleep(50);
    expect(await other!.embed(['a'], 'query', { space: names[0]! })).toHaveLength(1);
  });

  it('is another space by name of the model, prefix, input type and server', async () => {
    const form = (prefix: string, inputType?: string) => ({
      query: { prefix, inputType },
      passage: { prefix, inputType },
    });
    const names = await Promise.all(
      [{}, { model: 'm' }, { forms: form('p: ') }, { forms: form('', 'document') }].map(
        async (more) => (await embedder(more).space()).model,
      ),
    );
    expect(new Set(names).size).toBe(4);
  });
});

describe('whoever asks', () => {
  it('may stop, and the server is not blamed', async () => {
    const one = embedder();
    await one.space();
    server.behave = () => sleep(1_000).then(() => undefined);
    const controller = new AbortController();
    const late = one.embed(['a'], 'passage', { ...background, signal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough')), 30);
    await expect(late).rejects.toThrow('enough');
    expect(one.state().state).toBe('ready');
  });

  it('is told when it was closed', async () => {
    const one = embedder();
    await one.space();
    server.behave = () => sleep(1_000).then(() => undefined);
    const late = one.embed(['a'], 'passage', background);
    setTimeout(() => void one.close(), 30);
    await expect(late).rejects.toThrow(unavailable(/closed/));
    await expect(one.embed(['a'], 'query')).rejects.toThrow(unavailable(/closed/));
  });
});
