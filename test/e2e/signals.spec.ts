import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { expectAllThereOnce } from '#test/support/acknowledged.js';
import { entry, startServer, temporaryHome } from '#test/support/built-server.js';
import { environment } from '#test/support/environment.js';

const homes: (() => void)[] = [];
afterEach(() => {
  for (const remove of homes.splice(0)) remove();
});
function home(): string {
  const { path, remove } = temporaryHome();
  homes.push(remove);
  return path;
}

it('SIGTERM in the middle of writes: answers what it took on, and loses nothing', async () => {
  const path = home();
  const server = await startServer(path);
  const acknowledged = new Set<string>();
  const writing = Array.from({ length: 200 }, async (_, n) => {
    const content = `write number ${n} before the signal`;
    const answer = await server.call('memory_write', { content }).catch(() => undefined);
    if (answer && !answer.isError) acknowledged.add(content);
  });
  await sleep(30);
  process.kill(server.pid, 'SIGTERM');
  await Promise.all(writing);
  await server.close().catch(() => undefined);
  await expectAllThereOnce(path, acknowledged);
});

it('exits with 0 when its client closes stdin', async () => {
  const path = home();
  const child = spawn(process.execPath, [entry, '--home', path], {
    env: environment(),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  await sleep(700);
  child.stdin.end();
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
});

it('serves others while one client never closes and never reads', async () => {
  const path = home();
  const stuck = spawn(process.execPath, [entry, '--home', path], {
    env: environment(),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  stuck.stdout.pause();
  stuck.stdin.on('error', () => undefined);
  const hello = {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'stuck', version: '1' } },
  };
  stuck.stdin.write(
    `${JSON.stringify(hello)}\n${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`,
  );
  for (let id = 1; id <= 300; id++) {
    const call = {
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'memory_write', arguments: { content: `stuck ${id} ${'x'.repeat(2000)}` } },
    };
    stuck.stdin.write(`${JSON.stringify(call)}\n`);
  }
  const server = await startServer(path);
  const answer = await server.call('memory_write', { content: 'somebody else goes on' });
  expect(answer.isError, answer.text).toBe(false);
  const found = await server.call('memory_search', { query: 'somebody else' });
  expect((found.structured.items as unknown[]).length).toBe(1);
  await server.close();
  stuck.kill('SIGKILL');
});
