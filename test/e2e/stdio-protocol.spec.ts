import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { speakTo } from '#test/support/bare-client.js';
import { entry, temporaryHome } from '#test/support/built-server.js';
import { environment } from '#test/support/environment.js';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** The built server on a home of its own. */
function start(env: Record<string, string> = {}) {
  const { path, remove } = temporaryHome();
  const child = spawn(process.execPath, [entry, '--home', path], { env: environment(env) });
  ends.push(() => child.kill('SIGKILL'), remove);
  return speakTo(child);
}

it('keeps stdout to the protocol while libraries write there and throw', async () => {
  const preload = pathToFileURL(join(import.meta.dirname, '../support/noisy-preload.mjs')).href;
  const server = start({ NODE_OPTIONS: `--import=${preload}` });
  await server.answer(0);
  for (let id = 1; id <= 50; id++) server.call(id, 'memory_write', { content: `fact ${id}` });
  await server.answer(50);
  await expect.poll(server.stderr, { timeout: 10_000 }).toContain('NOISE');
  server.child.stdin.end();
  expect(await server.exited).toBe(0);
  const ids = server.messages().map(({ id }) => id);
  expect(ids.sort((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 51 }, (_, id) => id));
});

it('answers whatever is sent, and goes on', async () => {
  const server = start();
  server.send('this is no JSON');
  server.send('{"jsonrpc":"2.0","id":1}');
  server.send({ jsonrpc: '2.0', id: 2, method: 'no/such/method' });
  server.send({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 5 } });
  server.call(4, 'no_such_tool', {});
  server.call(5, 'memory_write', 'no object');
  server.call(6, 'memory_write', { content: 'x', when: 'now' });
  server.call(7, 'memory_write', { content: 'x', valid_from: '2026-02-30' });
  server.call(8, 'memory_write', { content: 'x'.repeat(70_000) });
  server.call(9, 'memory_history', { memory_id: '01985f00-0000-7000-8000-000000000001' });
  server.call(10, 'memory_search', { query: 'x', basis: 'b1.garbage' });
  server.call(11, 'memory_stats', {});
  await server.answer(11);
  for (const id of [2, 3, 5]) expect((await server.answer(id)).error, `id ${id}`).toBeDefined();
  const tools = {
    4: 'memory_write',
    6: 'the known ones are',
    7: '2026-02-30',
    8: 'too_large',
    9: 'memory_not_found',
    10: 'basis',
  };
  for (const [id, told] of Object.entries(tools)) {
    const { result } = await server.answer(Number(id));
    expect(result?.isError, `id ${id}`).toBe(true);
    expect(result?.content?.[0]?.text).toContain(told);
  }
  expect(server.messages().filter(({ id }) => id === null)).toHaveLength(1);
  expect((await server.answer(11)).result?.isError).toBeUndefined();
});

it.each(['trace', 'debug', 'error'])('starts in a new home that logs from %s on', async (level) => {
  const server = start({ HINDSIGHT_LEDGER_LOG_LEVEL: level });
  server.call(1, 'memory_write', { content: 'the first memory of a new home' });
  expect((await server.answer(1)).result?.isError).toBeFalsy();
});
