import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { bundledProgram } from '#test/support/bundled-program.js';

export interface SpawnedRelay {
  /** What it logged. */
  readonly said: readonly { readonly sentence: string; readonly code?: string; readonly error?: string }[];
  /** Whether it relays, as far as it knows. */
  isActive(): boolean;
  signal(name: NodeJS.Signals): void;
  gone(): Promise<void>;
}

/** Relays in processes of their own. */
export async function relayProcesses(ledgerFile: string, broker: string, partitions: number, session: number) {
  const program = await bundledProgram(new URL('./relay-process.ts', import.meta.url));
  const all = new Set<ChildProcess>();
  return {
    spawn(): SpawnedRelay {
      const child = spawn(process.execPath, [program, ledgerFile, broker, String(partitions), String(session)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      all.add(child);
      const gone = once(child, 'exit').then(() => void all.delete(child));
      const said: { sentence: string }[] = [];
      let rest = '';
      child.stdout.on('data', (chunk: Buffer) => {
        const lines = `${rest}${chunk}`.split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) said.push(JSON.parse(line) as { sentence: string });
      });
      return {
        said,
        isActive: () => {
          const last = said.findLast(({ sentence }) => /relay is active|stands by|interrupted/.test(sentence));
          return child.exitCode === null && child.signalCode === null && /is active/.test(last?.sentence ?? '');
        },
        signal: (name) => void child.kill(name),
        gone: () => gone,
      };
    },
    async end() {
      for (const child of all) {
        child.kill('SIGCONT');
        child.kill('SIGKILL');
      }
    },
  };
}
