import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { bundledProgram } from '#test/support/bundled-program.js';

export interface SpawnedEventStore {
  readonly connectionString: string;
  /** SIGKILL, in the middle of whatever it does. */
  kill(): Promise<void>;
  /** Starts it again on the same port and data. */
  start(): Promise<void>;
}

/** The test server in a process of its own (start-event-store.ts says what it is). */
export async function spawnEventStore(folder: string): Promise<SpawnedEventStore> {
  const program = await bundledProgram(new URL('./event-store-process.ts', import.meta.url));
  let connectionString = '';
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const port = /:(\d+)\?/.exec(connectionString)?.[1] ?? '0';
    const started = spawn(process.execPath, [program, folder, port], { stdio: ['ignore', 'pipe', 'inherit'] });
    child = started;
    const [line] = (await Promise.race([once(started.stdout, 'data'), once(started, 'exit')])) as [Buffer | number];
    if (typeof line === 'number') throw new Error(`the test server ended with ${line}`);
    connectionString = line.toString().trim();
  }

  await start();
  return {
    get connectionString() {
      return connectionString;
    },
    start,
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}
