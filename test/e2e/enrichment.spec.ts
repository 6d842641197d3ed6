import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { type BuiltServer, startServer, temporaryHome } from '#test/support/built-server.js';
import { command } from '#test/support/command.js';
import { type ChatServer, startChatServer } from '#understanding/enrich/test-support/chat-server.js';

/**
 * The built product with a language model in its settings. A server stands for the model: of every text it finds `moonbase`, whether that
 * stands there or not, and a name that nothing says.
 */
const found = {
  entities: [
    { name: 'moonbase', kind: 'work' },
    { name: 'Sesame', kind: 'person' },
  ],
  relations: [],
  dates: [],
};
const closing: (() => PromiseLike<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function started(): Promise<{ model: ChatServer; home: string; env: Record<string, string> }> {
  const model = await startChatServer(() => ({ content: JSON.stringify(found) }));
  closing.push(() => model[Symbol.asyncDispose]());
  const home = temporaryHome();
  closing.push(home.remove);
  const env = {
    HINDSIGHT_LEDGER_EMBEDDINGS: 'none',
    HINDSIGHT_LEDGER_LLM_URL: model.url,
    HINDSIGHT_LEDGER_LLM_MODEL: 'stand-in',
    HINDSIGHT_LEDGER_LLM_API_KEY: 'sk-sentinel',
  };
  return { model, home: home.path, env };
}

interface Reading {
  readonly done: number;
  readonly of: number;
  readonly tokens_today: number;
}

async function untilRead(server: BuiltServer, count: number): Promise<Reading> {
  for (const until = Date.now() + 60_000; ; await sleep(100)) {
    const { structured } = await server.call('memory_stats', {});
    const reading = structured.enrichment as Reading | undefined;
    if (reading && reading.done >= count) return reading;
    if (Date.now() > until) throw new Error(`not read: ${JSON.stringify(reading)}\n${server.log()}`);
  }
}

it('has what is written read, finds by what was found, and leaves nothing of it where it is erased', async () => {
  const { model, home, env } = await started();
  const server = await startServer(home, { env, args: ['--roles', 'reader,writer,eraser'] });
  closing.push(() => server.close());
  const { structured } = await server.call('memory_write', {
    content: 'the moonbase opens in autumn',
    key: 'sentinel.key',
  });
  await server.call('memory_write', { content: 'tea is in the kitchen' });
  expect(await untilRead(server, 2)).toEqual({
    model: 'stand-in',
    done: 2,
    of: 2,
    tokens_today: 300,
    tokens_per_day: 1_000_000,
    tokens: 300,
  });
  expect(model.asked.map(({ authorization }) => authorization)).toEqual(['Bearer sk-sentinel', 'Bearer sk-sentinel']);
  expect(JSON.stringify(model.asked.map(({ body }) => body))).not.toContain('sentinel');
  const asked = { query: 'What do we know about Moonbase?', explain: true, min_score: 0 };
  const { items } = (await server.call('memory_search', asked)).structured as {
    items: { id: string; explain: { legs: object } }[];
  };
  expect(items[0]).toMatchObject({ id: structured.memory_id, explain: { legs: { graph: { rank: 1 } } } });

  const forget = { memory_id: structured.memory_id, mode: 'erase', reason: 'asked to' };
  const { confirm } = (await server.call('memory_forget', forget)).structured;
  expect((await server.call('memory_forget', { ...forget, confirm })).structured).toMatchObject({ status: 'erased' });
  await server.close();
  closing.pop();
  // What was found is sealed with what was written: it opens no more, and nothing is missing.
  const hl = (...args: string[]) => command(home, args, { env });
  expect(await hl('verify', '--contents')).toMatchObject({ code: 0 });
  expect(await hl('replay', '--check')).toMatchObject({ code: 0 });
  expect((await hl('stats')).stdout).toMatch(/\nRead by stand-in: 1 of 1 memory; 300 of 1,000,000 tokens/);
  expect(model.asked).toHaveLength(2);
});

it('keeps nobody waiting while the model’s server is down, and shows no key', async () => {
  const { model, home, env } = await started();
  model.answer = () => ({ status: 503, raw: '{}' });
  const server = await startServer(home, { env });
  closing.push(() => server.close());
  await server.call('memory_write', { content: 'the moonbase opens in autumn' });
  const { structured } = await server.call('memory_search', { query: 'moonbase' });
  expect(structured.items).toHaveLength(1);
  const shown = await command(home, ['config'], { env });
  expect(shown.stdout).toContain('llm_api_key');
  expect(shown.stdout + server.log()).not.toContain('sk-sentinel');
});
