import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { speakTo } from '#test/support/bare-client.js';
import { bundledProgram } from '#test/support/bundled-program.js';

let fixture: string;

beforeAll(async () => {
  fixture = await bundledProgram(new URL('./testing/stdio-fixture.ts', import.meta.url));
});
afterAll(() => rmSync(fixture));

function start() {
  const server = speakTo(spawn(process.execPath, [fixture]));
  return { ...server, search: (id: number, query: string) => server.call(id, 'memory_search', { query }) };
}

describe('standard output', () => {
  it.each(['console.log', 'console.table', 'stdout.write', 'stdout.end', 'throw', 'rejection', 'warning'])(
    'carries the protocol alone through %s, and the server goes on',
    async (how) => {
      const server = start();
      server.search(1, how);
      server.search(2, 'database');
      await server.answer(1);
      await server.answer(2);
      server.child.stdin.end();
      expect(await server.exited).toBe(0);
      for (const message of server.messages()) expect(message).toMatchObject({ jsonrpc: '2.0' });
      expect(JSON.stringify(server.messages())).not.toContain('FOREIGN');
      expect(server.messages()).toHaveLength(3);
    },
  );

  it('carries the protocol alone when an exception ends the server', async () => {
    const server = start();
    server.search(1, 'exception');
    expect(await server.exited).toBe(1);
    for (const message of server.messages()) expect(message).toMatchObject({ jsonrpc: '2.0' });
    expect(server.stderr()).toContain('an exception that nobody caught');
    expect(server.stderr()).not.toContain('FOREIGN');
    expect(server.stderr()).toContain('FLUSHED');
  });

  it('answers lines that are no messages', async () => {
    const server = start();
    server.send('no json');
    server.search(1, 'database');
    await server.answer(1);
    expect(server.messages()).toContainEqual(
      expect.objectContaining({ error: expect.objectContaining({ code: -32700 }) }),
    );
    server.child.stdin.end();
    await server.exited;
  });
});

describe('the end', () => {
  it.each<NodeJS.Signals>(['SIGTERM', 'SIGINT', 'SIGHUP'])(
    'answers what is in flight at %s, flushes, exits 0',
    async (signal) => {
      const server = start();
      await server.answer(0);
      server.search(1, 'slow');
      server.search(2, 'database');
      await server.answer(2);
      server.child.kill(signal);
      expect(await server.exited).toBe(0);
      expect(server.messages().some(({ id }) => id === 1)).toBe(true);
      expect(server.stderr()).toMatch(new RegExp(`FLUSHED\\nENDED ${signal}`));
    },
  );

  it('answers what is in flight when stdin closes, also a last line without a newline', async () => {
    const server = start();
    server.search(1, 'slow');
    server.child.stdin.end('{"jsonrpc":"2.0","id":2,"method":"ping"}');
    expect(await server.exited).toBe(0);
    expect(
      server
        .messages()
        .map(({ id }) => id)
        .sort(),
    ).toEqual([0, 1, 2]);
  });

  it('ends when its client is gone', async () => {
    const server = start();
    await server.answer(0);
    server.child.stdout.destroy();
    server.search(1, 'database');
    server.search(2, 'database');
    expect(await server.exited).toBe(0);
    expect(server.stderr()).toContain('ENDED stdout closed');
  });

  it('comes at once with a second signal', async () => {
    const server = start();
    server.search(1, 'slow');
    server.search(2, 'database');
    await server.answer(2);
    server.child.kill('SIGTERM');
    await expect.poll(server.stderr).toContain('stdio server ends');
    server.child.kill('SIGTERM');
    expect(await server.exited).toBe(1);
  });

  it('comes at a signal also when the client does not read', async () => {
    const server = start();
    await server.answer(0);
    server.child.stdout.pause();
    for (let id = 1; id <= 2_000; id++) server.search(id, 'database');
    await expect.poll(() => server.child.stdin.writableNeedDrain, { timeout: 10_000 }).toBe(true);
    server.child.kill('SIGTERM');
    const code = await Promise.race([server.exited, new Promise((resolve) => server.child.once('exit', resolve))]);
    expect(code).toBe(0);
  });
});
