import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it } from 'vitest';
import { entry } from '#test/support/built-server.js';
import { command } from '#test/support/command.js';
import { environment } from '#test/support/environment.js';
import { freshHomes, parsed } from '#test/support/fresh-homes.js';

const freshHome = freshHomes();

describe('serve', () => {
  it('answers a token’s client in its bank, refuses everybody else, and stops cleanly', async () => {
    const home = freshHome();
    await command(home, ['write', 'The gateway listens on 8443', '--bank', 'acme']);
    const { token } = parsed<{ token: string }>(
      await command(home, ['token', 'create', 'ci', '--bank', 'acme', '--role', 'reader', '--json']),
    );
    const child = spawn(process.execPath, [entry, 'serve', '--port', '0', '--json', '--home', home], {
      env: environment(),
    });
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const { mcp, url } = JSON.parse(line) as { mcp: string; url: string };
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    expect((await fetch(mcp, { method: 'POST' })).status).toBe(401);

    const transport = new StreamableHTTPClientTransport(new URL(mcp), {
      requestInit: { headers: { Authorization: `Bearer ${token}` } },
    });
    const client = new Client({ name: 'http-test', version: '1' });
    await client.connect(transport);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(['memory_history', 'memory_search', 'memory_stats']);
    const found = await client.callTool({ name: 'memory_search', arguments: { query: 'gateway' } });
    expect(found.structuredContent).toMatchObject({ items: [{ content: 'The gateway listens on 8443' }] });

    expect((await command(home, ['token', 'revoke', 'ci'])).stdout).toMatch(/^revoked: ci/);
    await expect(client.callTool({ name: 'memory_search', arguments: { query: 'gateway' } })).rejects.toThrow(
      /401|token/i,
    );
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect((await command(home, ['verify'])).code).toBe(0);
  });

  it('says when its port is taken', async () => {
    const home = freshHome();
    const first = spawn(process.execPath, [entry, 'serve', '--port', '0', '--json', '--home', home], {
      env: environment(),
    });
    const [line] = (await once(createInterface({ input: first.stdout }), 'line')) as [string];
    const port = new URL((JSON.parse(line) as { url: string }).url).port;
    const second = await command(home, ['serve', '--port', port]);
    expect(second).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/unreachable: .*another program listens there/),
    });
    first.kill('SIGTERM');
    await once(first, 'exit');
  });
});
