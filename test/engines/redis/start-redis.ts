import { mkdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { engineFolder } from '../engine-folder.js';
import { type Engine, startEngine } from '../engine-process.js';
import { freePort } from '../free-ports.js';
import { redisProgram } from './redis-program.js';

export interface RedisEngine extends Engine {
  readonly url: string;
}

/**
 * A Redis of this test's own. As in infra/, it keeps nothing: whatever ends it loses its data.
 * @param settings further arguments, for example `['--maxmemory', '4mb']`
 * @throws EngineMissing when none is installed
 */
export async function startRedis(settings: readonly string[] = []): Promise<RedisEngine> {
  const program = redisProgram();
  const folder = engineFolder('redis');
  const data = join(folder.path, 'data');
  const port = await freePort();
  const place = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', data];
  const engine = await startEngine({
    name: 'Redis',
    folder,
    stopSignal: 'SIGTERM',
    prepare: async () => void (await mkdir(data, { recursive: true })),
    command: () => ({ program, args: [...place, '--save', '', '--appendonly', 'no', ...settings] }),
    isReady: () => answers(port),
    wipe: () => rm(data, { recursive: true, force: true }),
  });
  return { ...engine, url: `redis://127.0.0.1:${port}` };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.setTimeout(2_000, () => socket.destroy());
    socket.on('data', (answer) => {
      // Also one that wants a password is ready.
      resolve(/^(\+PONG|-NOAUTH)/.test(answer.toString()));
      socket.destroy();
    });
    socket.on('error', () => resolve(false));
    socket.on('close', () => resolve(false));
  });
}
