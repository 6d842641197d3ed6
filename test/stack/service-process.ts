import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { entry } from '#test/support/built-server.js';
import { environment } from '#test/support/environment.js';

export type StackRole = 'ingest' | 'relay' | 'projector' | 'query' | 'all';

/** One service of the built product, in a process of its own, on the same ports at every start. */
export interface StackService {
  readonly role: StackRole;
  /** Where its HTTP listens. */
  readonly url: string;
  /** Of ingest: host:port for commands. */
  readonly commands: string;
  /** Undefined while it does not run. */
  readonly pid: number | undefined;
  /** Again after a kill or stop; does nothing while it runs. Resolves when it is spawned. */
  start(): void;
  /** Resolves when /health/ready answers 200. @throws Error with what is missing, or when the process has ended */
  ready(withinMs?: number): Promise<void>;
  /** What /health/ready says now; undefined when nothing answers. */
  health(): Promise<{ status: number; missing: readonly string[]; without: readonly string[] } | undefined>;
  /** SIGKILL, in the middle of whatever it does. */
  kill(): Promise<void>;
  /** SIGTERM, as an operator ends it. Answers its exit code. */
  stop(withinMs?: number): Promise<number>;
  /** SIGSTOP: its connections stay open and nothing answers. */
  pause(): void;
  resume(): void;
  /** What it wrote so far, to both streams; over all of its starts. */
  log(): string;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export function stackService(options: {
  readonly role: StackRole;
  readonly env: Readonly<Record<string, string>>;
  readonly httpPort: number;
  readonly commandPort: number;
}): StackService {
  const { role, httpPort, commandPort } = options;
  const url = `http://127.0.0.1:${httpPort}`;
  let child: ChildProcess | undefined;
  let exited: Promise<unknown> = Promise.resolve();
  let output = '';

  function start(): void {
    if (child) return;
    const started = spawn(process.execPath, [entry, 'serve', '--role', role, '--json'], {
      env: environment({
        ...options.env,
        HINDSIGHT_LEDGER_HTTP_PORT: String(httpPort),
        HINDSIGHT_LEDGER_INGEST_PORT: String(commandPort),
      }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    running.add(started);
    for (const stream of [started.stdout, started.stderr])
      stream!.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    exited = once(started, 'exit');
    started.once('exit', () => {
      running.delete(started);
      if (child === started) child = undefined;
    });
  }

  async function health() {
    try {
      const answer = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(10_000) });
      const { missing = [], without = [] } = (await answer.json()) as Record<string, readonly string[] | undefined>;
      return { status: answer.status, missing, without };
    } catch {
      return undefined;
    }
  }

  async function end(signal: NodeJS.Signals, withinMs: number): Promise<number> {
    const ending = child;
    if (!ending) return 0;
    ending.kill(signal);
    const late = sleep(withinMs, 'late' as const, { ref: false });
    if ((await Promise.race([exited, late])) === 'late') {
      ending.kill('SIGKILL');
      throw new Error(`${role} did not end within ${withinMs} ms after ${signal}:\n${output.slice(-4_000)}`);
    }
    return ending.exitCode ?? -1;
  }

  return {
    role,
    url,
    commands: `127.0.0.1:${commandPort}`,
    get pid() {
      return child?.pid;
    },
    start,
    health,
    async ready(withinMs = 90_000) {
      const until = Date.now() + withinMs;
      let last: Awaited<ReturnType<typeof health>>;
      while (Date.now() < until) {
        last = await health();
        if (last?.status === 200) return;
        if (!child) throw new Error(`${role} has ended:\n${output.slice(-4_000)}`);
        await sleep(50);
      }
      throw new Error(`${role} is not ready after ${withinMs} ms: ${last?.missing.join(' ')}\n${output.slice(-4_000)}`);
    },
    kill: async () => void (await end('SIGKILL', 10_000)),
    stop: (withinMs = 40_000) => end('SIGTERM', withinMs),
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    log: () => output,
  };
}
