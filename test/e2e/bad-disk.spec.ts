import { execFileSync } from 'node:child_process';
import { closeSync, copyFileSync, mkdirSync, openSync, readdirSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { expectAllThereOnce } from '#test/support/acknowledged.js';
import { startServer, temporaryHome } from '#test/support/built-server.js';
import { command } from '#test/support/command.js';

/** Mounting needs root, as in CI; root ignores permission bits, so a small mount is the only honest full or read-only disk. */
const isRoot = process.getuid?.() === 0;
const cleanUp: (() => void)[] = [];
afterEach(() => {
  for (const undo of cleanUp.splice(0).reverse()) undo();
});

function home(): string {
  const { path, remove } = temporaryHome();
  cleanUp.push(remove);
  return path;
}

function mounted(...args: string[]): void {
  const target = args.at(-1) as string;
  execFileSync('mount', args);
  cleanUp.push(() => execFileSync('umount', ['-l', target]));
}

describe.runIf(isRoot)('a full disk', () => {
  it('is a clear error; what was acknowledged is there when there is room again', async () => {
    const path = home();
    mounted('-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', path);
    const server = await startServer(path);
    const acknowledged = new Set<string>();
    let refusal = '';
    for (let write = 0; write < 500 && !refusal; write++) {
      const content = `${write} ${'room '.repeat(8000)}`;
      const answer = await server.call('memory_write', { content });
      if (answer.isError) refusal = answer.text;
      else acknowledged.add(content);
    }
    expect(refusal).toMatch(/disk is full/);
    expect((await server.call('memory_stats', {})).structured).toBeDefined();
    await server.close();
    expect(acknowledged.size).toBeGreaterThan(3);
    execFileSync('mount', ['-o', 'remount,size=64m', path]);
    await expectAllThereOnce(path, acknowledged);
  });
});

describe.runIf(isRoot)('a read-only home', () => {
  it('is read as far as possible, and refuses writes clearly', async () => {
    const path = home();
    await command(path, ['write', 'The staging database is PostgreSQL 16']);
    await command(path, ['search', 'staging database']);
    mounted('--bind', path, path);
    execFileSync('mount', ['-o', 'remount,ro,bind', path]);
    const written = await command(path, ['write', 'never']);
    expect(written.code).toBe(3);
    expect(written.stderr).toMatch(/not_writable|cannot be opened for writing|read-only/i);
    const found = await command(path, ['search', 'staging database']);
    expect(found.stdout).toMatch(/PostgreSQL 16/);
  });

  it('that is empty is refused with a sentence that names it', async () => {
    const path = home();
    mounted('--bind', path, path);
    execFileSync('mount', ['-o', 'remount,ro,bind', path]);
    const refused = await command(path, ['write', 'never']);
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain(path);
  });
});

describe('a damaged ledger page', () => {
  it('is named by verify; writes are refused from then on; the rest is still read', async () => {
    const path = home();
    const lines = Array.from({ length: 400 }, (_, n) =>
      JSON.stringify({ id: `r${n}`, content: `record number ${n} ${'filler '.repeat(60)}` }),
    );
    const file = join(path, 'records.jsonl');
    mkdirSync(path, { recursive: true });
    writeFileSync(file, `${lines.join('\n')}\n`);
    expect((await command(path, ['import', file, '--format', 'jsonl'])).code).toBe(0);
    expect((await command(path, ['search', 'record number 3'])).code).toBe(0);
    expect((await command(path, ['verify'])).code).toBe(0);

    const ledger = join(path, 'ledger.db');
    const middle = Math.floor(statSync(ledger).size / 4096 / 2);
    const handle = openSync(ledger, 'r+');
    writeSync(handle, Buffer.alloc(4096, 0xa5), 0, 4096, middle * 4096);
    closeSync(handle);

    const verified = await command(path, ['verify']);
    expect(verified.code).toBe(1);
    expect(verified.stdout + verified.stderr).toMatch(/position|event/i);
    const refused = await command(path, ['write', 'after the damage']);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toMatch(/damaged|corrupt/i);
    const found = await command(path, ['search', 'record number 3']);
    expect(found.stdout).toMatch(/record number 3 /);
    const doctor = await command(path, ['doctor']);
    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toMatch(/ledger/);
  });
});

describe('views.db', () => {
  it('that is damaged is rebuilt with a line that says so', async () => {
    const path = home();
    await command(path, ['write', 'Deploys go out on Thursdays']);
    await command(path, ['search', 'deploys']);
    for (const file of readdirSync(path)) {
      if (file.startsWith('views.db')) writeFileSync(join(path, file), 'this is no database');
    }
    const found = await command(path, ['search', 'deploys']);
    expect(found.stdout).toMatch(/Thursdays/);
    expect(found.stderr).toMatch(/views/);
    expect(found.stderr).toMatch(/rebuil/);
  });

  it('that vanishes under a running server comes back', async () => {
    const path = home();
    const server = await startServer(path);
    await server.call('memory_write', { content: 'Deploys go out on Thursdays' });
    await server.call('memory_search', { query: 'deploys' });
    cleanUp.push(() => undefined);
    for (const file of readdirSync(path)) if (file.startsWith('views.db')) execFileSync('rm', ['-f', join(path, file)]);
    await server.call('memory_write', { content: 'The deploy script is in tools/deploy.sh' });
    const found = await server.call('memory_search', { query: 'deploy script' });
    expect(found.isError, found.text).toBe(false);
    expect((found.structured.items as unknown[]).length).toBeGreaterThan(0);
    await server.close();
    const again = await command(path, ['search', 'deploys']);
    expect(again.stdout).toMatch(/Thursdays/);
  });
});

describe('keys', () => {
  it.each([
    ['a lost master key', (path: string) => execFileSync('rm', [join(path, 'master.key')]), /master\.key/],
    [
      'a wrong master key',
      (path: string) => copyFileSync(join(otherHome(), 'master.key'), join(path, 'master.key')),
      /master\.key/,
    ],
    ['a truncated master key', (path: string) => writeFileSync(join(path, 'master.key'), 'garbage'), /master\.key/],
    ['a lost keys.db', (path: string) => execFileSync('sh', ['-c', `rm ${join(path, 'keys.db')}*`]), /keys\.db/],
  ])('%s is a clear error at start, and nothing is overwritten', async (_name, spoil, said) => {
    const path = home();
    await command(path, ['write', 'The gateway listens on 8443']);
    const backup = home();
    execFileSync('cp', ['-a', `${path}/.`, backup]);
    spoil(path);
    const refused = await command(path, ['search', 'gateway']);
    expect(refused.code).toBe(3);
    expect(refused.stderr).toMatch(said);
    const written = await command(path, ['write', 'over it']);
    expect(written.code).toBe(3);
    for (const file of ['master.key', 'keys.db']) copyFileSync(join(backup, file), join(path, file));
    expect((await command(path, ['search', 'gateway'])).stdout).toMatch(/8443/);
  });
});

function otherHome(): string {
  const path = home();
  execFileSync(process.execPath, [
    join(import.meta.dirname, '..', '..', 'dist', 'bundle', 'main.js'),
    'write',
    'x',
    '--home',
    path,
  ]);
  return path;
}
