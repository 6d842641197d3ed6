import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineFolder, SystemUser } from './engine-folder.js';

/** A running server that a test may treat as badly as it likes. Nothing of it outlives the test process. */
export interface Engine {
  /** Its data and its log (`log`). */
  readonly folder: string;
  /** Again on the same port and data; ready when it resolves. Does nothing while it runs. */
  start(): Promise<void>;
  /** As an operator would. */
  stop(): Promise<void>;
  /** SIGKILL, to its children as well, in the middle of whatever it does. */
  kill(): Promise<void>;
  /** SIGSTOP, to its children as well: connections stay open and nothing answers. */
  pause(): void;
  resume(): void;
  /** Loses all data. @throws Error while it runs */
  wipe(): Promise<void>;
  /** Stops it and removes its folder. */
  remove(): Promise<void>;
}

export interface EngineProgram {
  readonly name: string;
  readonly folder: EngineFolder;
  /** Whom the program runs as, where that is another user. */
  readonly user?: SystemUser;
  readonly stopSignal: NodeJS.Signals;
  /** Makes an empty data folder, before the first start and after its data were lost. */
  prepare(): Promise<void>;
  command(): { readonly program: string; readonly args: readonly string[] };
  /** @param log what it has logged since it was started */
  isReady(log: string): Promise<boolean>;
  /** Removes all data. */
  wipe(): Promise<void>;
}

const startsWithin = 120_000; // ms: Kafka takes 2 to 12 s, and a machine may be busy with other things.
const stopsWithin = 20_000; // ms, then it is killed.

/** Starts the program; what comes back is ready. */
export async function startEngine(engine: EngineProgram): Promise<Engine> {
  const logFile = join(engine.folder.path, 'log');
  let child: ChildProcess | undefined;
  let prepared = false;

  async function start(): Promise<void> {
    if (child) return;
    if (!prepared) await engine.prepare();
    prepared = true;
    const log = openSync(logFile, 'a');
    const logged = statSync(logFile).size;
    const { program, args } = engine.command();
    const started = spawn(program, args, {
      cwd: engine.folder.path,
      detached: true,
      stdio: ['ignore', log, log],
      ...engine.user,
    });
    closeSync(log);
    let failure: Error | undefined;
    const ended = (error?: Error) => {
      failure = error;
      if (child === started) child = undefined;
      engine.folder.occupiedBy(undefined);
    };
    child = started;
    started.unref();
    engine.folder.occupiedBy(started.pid);
    started.on('error', ended);
    started.on('exit', () => ended());
    const newLog = () => readFileSync(logFile).subarray(logged).toString();
    const deadline = Date.now() + startsWithin;
    while (!(await engine.isReady(newLog()))) {
      if (failure || child !== started || Date.now() > deadline) {
        await kill();
        const why =
          failure?.message ?? (Date.now() > deadline ? `not ready after ${startsWithin / 1000} s` : 'it ended');
        throw new Error(`${engine.name} did not start (${why}). The end of its log:\n${newLog().slice(-2_000)}`);
      }
      await sleep(25);
    }
  }

  /** The process and its children; a process is stopped first, so that it starts no further ones. */
  function signal(name: NodeJS.Signals): readonly number[] {
    const pid = child?.pid;
    if (pid === undefined) return [];
    send(pid, 'SIGSTOP');
    const children = childrenOf(pid);
    for (const each of children) send(each, name);
    send(pid, name);
    return children;
  }

  async function kill(): Promise<void> {
    if (!child) return;
    child.ref();
    const gone = once(child, 'exit');
    const children = signal('SIGKILL');
    await gone;
    for (let wait = 0; wait < 40 && children.some(isRunning); wait++) await sleep(25);
  }

  async function stop(): Promise<void> {
    if (!child) return;
    signal('SIGCONT');
    child.ref();
    const gone = once(child, 'exit');
    child.kill(engine.stopSignal);
    const inTime = await Promise.race([gone, sleep(stopsWithin, undefined, { ref: false })]);
    if (!inTime) await kill();
  }

  const running: Engine = {
    folder: engine.folder.path,
    start,
    stop,
    kill,
    pause: () => void signal('SIGSTOP'),
    resume: () => void signal('SIGCONT'),
    async wipe() {
      if (child) throw new Error(`${engine.name} runs; stop or kill it before its data are wiped.`);
      await engine.wipe();
      prepared = false;
    },
    async remove() {
      await stop();
      await engine.folder.remove();
    },
  };
  try {
    await start();
  } catch (error) {
    await engine.folder.remove();
    throw error;
  }
  return running;
}

function childrenOf(pid: number): readonly number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=', '-o', 'ppid='], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
    .map(([child]) => child as number);
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false; // It ended in the meantime.
  }
}

/** One that has ended but that nobody has asked about counts as gone: it holds nothing. */
function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', `${pid}`], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z');
}
