import { Redis } from 'ioredis';
import { type Scripted, scripts } from './scripts.js';

/** A Redis that may be empty, slow or away at any time. */
export interface HotStore {
  /** What `work` gives, or undefined where Redis is away, hangs or refuses: told at once while that is known. */
  ask<T>(work: (redis: Scripted) => Promise<T>): Promise<T | undefined>;
  /** Whether the last command went well, or none was tried yet. */
  isThere(): boolean;
  close(): Promise<void>;
}

export interface HotStoreOptions {
  /** Milliseconds that a command may take; 50 by default: some ten times what it takes when all is well and this process is busy. */
  readonly timeoutMs?: number;
  /** Told once when Redis is lost, by the kind of error, and once when it is back. */
  readonly onTrouble?: (reason: string | undefined) => void;
}

/** Commands that fail one after the other until nobody waits for the next one. */
const mostFailures = 3;
/** Milliseconds until one command is tried again; twice as many after each that fails, up to the second. */
const pauses = { first: 250, longest: 5_000 };

/**
 * Connects in the background and again whenever the connection is lost. Nothing is queued while it is: a cache that must be waited for
 * is none.
 * @param url `redis://` or `rediss://`, with user and password as ioredis takes them
 */
export function openHotStore(url: string, options: HotStoreOptions = {}): HotStore {
  const redis = new Redis(url, {
    commandTimeout: options.timeoutMs ?? 50,
    // A connection that has gone silent is made anew.
    socketTimeout: 2_000,
    connectTimeout: 2_000,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(50 * 2 ** times, 2_000) * (0.75 + Math.random() / 2),
    scripts,
  }) as Scripted;
  let failures = 0;
  let pause = pauses.first;
  let closedUntil = 0;
  let trying = false;
  let told = false;
  let closing = false;

  const tell = (reason: string | undefined) => {
    if (told === (reason !== undefined)) return;
    told = reason !== undefined;
    options.onTrouble?.(reason);
  };
  const failed = (error: unknown) => {
    failures += 1;
    if (failures < mostFailures) return;
    closedUntil = performance.now() + pause;
    pause = Math.min(pause * 2, pauses.longest);
    tell(kindOf(error));
  };
  const succeeded = () => {
    failures = 0;
    pause = pauses.first;
    tell(undefined);
  };

  redis.on('error', (error) => tell(kindOf(error)));
  redis.on('close', () => {
    if (!closing) tell('closed');
  });
  // What was refused while it was starting says nothing about it any more.
  redis.on('ready', () => {
    failures = 0;
    closedUntil = 0;
  });

  return {
    async ask(work) {
      if (redis.status !== 'ready') return undefined;
      const isTrial = failures >= mostFailures;
      if (isTrial && (trying || performance.now() < closedUntil)) return undefined;
      trying ||= isTrial;
      try {
        const answer = await work(redis);
        succeeded();
        return answer;
      } catch (error) {
        failed(error);
        return undefined;
      } finally {
        if (isTrial) trying = false;
      }
    },
    isThere: () => redis.status === 'ready' && failures < mostFailures,
    async close() {
      closing = true;
      redis.disconnect();
    },
  };
}

/** The kind of an error and nothing of its text, which may name keys: a system's code, Redis's first word, or a name. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code === 'string') return code;
  return /^([A-Z]{3,})\b/.exec(error.message)?.[1] ?? (error.message === 'Command timed out' ? 'timeout' : error.name);
}
