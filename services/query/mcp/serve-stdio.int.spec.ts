import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundledProgram } from '#test/support/bundled-program.js';

let fixture: string;

beforeAll(async () => {
  fixture = await bundledProgram(new URL('./testing/stdio-fixture.ts', import.meta.url));
});
afterAll(() => rmSync(fixture));

/** A real server process, spoken to in bare lines. */
function start() {
  const child = spawn(process.execPath, [fixture], { stdio: ['pipe', 'pipe', 'pipe'] });
  const out: string[] = [];
  let err = '';
  let rest = '';
  child.stderr.on('data', (bytes) => {
    err += bytes;
  });
  const read = (bytes: Buffer) => {
    const lines = (rest + bytes).split('\n');
    rest = lines.pop() ?? '';
    out.push(...lines);
  };
  child.stdout.on('data', read);
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  const send = (message: object | string) =>
    child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  send({
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bare', version: '1' } },
  });
  return {
    child,
    out,
    exited,
    send,
    stderr: () => err,
    search: (id: number, query: string) =>
      send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'memory_search', arguments: { query } } }),
    answered: (id: number) =>
      expect
        .poll(() => out.some((line) => (JSON.parse(line) as { id: number }).id === id), { timeout: 10_000 })
        .toBe(true),
  };
}

describe('standard output', () => {
  it.each(['console.log', 'console.table', 'stdout.write', 'stdout.end', 'throw', 'rejection', 'warning'])(
    'carries the protocol alone through %s, and the server goes on',
    async (how) => {
      const server = start();
      server.search(1, how);
      server.search(2, 'database');
      await server.answered(1);
      await server.answered(2);
      server.child.stdin.end();
      expect(await server.exited).toBe(0);
      for (const line of server.out) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
      expect(server.out.join()).not.toContain('FOREIGN');
      expect(server.out).toHaveLength(3);
    },
  );

  it('carries the protocol alone when an exception ends the server', async () => {
    const server = start();
    server.search(1, 'exception');
    expect(await server.exited).toBe(1);
    for (const line of server.out) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
    expect(server.stderr()).toContain('an exception that nobody caught');
    expect(server.stderr()).not.toContain('FOREIGN');
    expect(server.stderr()).toContain('FLUSHED');
  });

  it('answers lines that are no messages', async () => {
    const server = start();
    server.send('no json');
    server.search(1, 'database');
    await server.answered(1);
    expect(server.out.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ error: expect.objectContaining({ code: -32700 }) }),
    );
    await stop(server.child, server.exited);
  });
});

describe('the end', () => {
  it.each<NodeJS.Signals>(['SIGTERM', 'SIGINT', 'SIGHUP'])(
    'answers what is in flight at %s, flushes, exits 0',
    async (signal) => {
      const server = start();
      await server.answered(0);
      server.search(1, 'slow');
      server.search(2, 'database');
      await server.answered(2);
      server.child.kill(signal);
      expect(await server.exited).toBe(0);
      expect(server.out.some((line) => JSON.parse(line).id === 1)).toBe(true);
      expect(server.stderr()).toMatch(new RegExp(`FLUSHED\\nENDED ${signal}`));
    },
  );

  it('answers what is in flight when stdin closes, also a last line without a newline', async () => {
    const server = start();
    server.search(1, 'slow');
    server.child.stdin.end('{"jsonrpc":"2.0","id":2,"method":"ping"}');
    expect(await server.exited).toBe(0);
    expect(server.out.map((line) => JSON.parse(line).id).sort()).toEqual([0, 1, 2]);
  });

  it('ends when its client is gone', async () => {
    const server = start();
    await server.answered(0);
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
    await server.answered(2);
    server.child.kill('SIGTERM');
    await expect.poll(server.stderr).toContain('stdio server ends');
    server.child.kill('SIGTERM');
    expect(await server.exited).toBe(1);
  });

  it('comes at a signal also when the client does not read', async () => {
    const server = start();
    await server.answered(0);
    server.child.stdout.pause();
    for (let id = 1; id <= 2_000; id++) server.search(id, 'database');
    await expect.poll(() => server.child.stdin.writableNeedDrain, { timeout: 10_000 }).toBe(true);
    server.child.kill('SIGTERM');
    const code = await Promise.race([server.exited, new Promise((resolve) => server.child.once('exit', resolve))]);
    expect(code).toBe(0);
  });
});

async function stop(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  child.stdin?.end();
  await exited;
}
