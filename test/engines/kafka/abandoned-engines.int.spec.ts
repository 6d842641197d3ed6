import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { expect, it, vi } from 'vitest';
import { bundledProgram } from '#test/support/bundled-program.js';
import { withOwnEngine } from '../with-engine.js';

withOwnEngine(
  'postgres',
  'redis',
  'kafka',
)('engines whose test process is killed', () => {
  it('are gone, with their folders, paused ones too', async () => {
    const program = await bundledProgram(new URL('../abandoned-engines.ts', import.meta.url));
    const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { folders, ports } = JSON.parse(line.toString()) as { folders: string[]; ports: number[] };
    expect(folders.every((folder) => existsSync(folder))).toBe(true);
    const [postmaster] = processes().filter(({ args }) => args.includes(`${folders[0]}/`));
    const family = processes().filter(({ id, parent }) => parent === postmaster?.id || id === postmaster?.id);
    expect(family.length).toBeGreaterThan(3);
    child.kill('SIGKILL');
    await vi.waitFor(
      async () => {
        expect(folders.filter((folder) => existsSync(folder))).toEqual([]);
        for (const port of ports) expect(await listens(port)).toBe(false);
        const ids = new Set(processes().map(({ id }) => id));
        expect(family.filter(({ id }) => ids.has(id))).toEqual([]);
      },
      { timeout: 20_000, interval: 100 },
    );
  });
});

/** All that run; those that have ended and that nobody has asked about do not. */
function processes(): readonly { readonly id: number; readonly parent: number; readonly args: string }[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , state = 'Z']) => !state.startsWith('Z'))
    .map(([id, parent, , ...args]) => ({ id: Number(id), parent: Number(parent), args: args.join(' ') }));
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const answer = (whether: boolean) => () => {
      socket.destroy();
      resolve(whether);
    };
    socket.on('connect', answer(true));
    socket.on('error', answer(false));
  });
}
