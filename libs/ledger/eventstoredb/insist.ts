import { HindsightError } from '#contract/errors.js';
import { isLasting, Late, type Trouble, troubleOf } from './trouble.js';

export interface Limits {
  /** Milliseconds that one call may take. */
  readonly deadline: number;
  /** Milliseconds in which a call is tried again before an error is given. */
  readonly patience: number;
  /** 0 to 1 */
  readonly random: () => number;
  /** Aborted when the ledger is closed. */
  readonly closing: AbortSignal;
}

/**
 * Makes a call until it is answered, with a deadline for each try, pauses that grow from 50 ms to 2 s, and an end.
 * @param what names the call for whoever reads the error, and what to know about it
 * @throws HindsightError unreachable, also when it came too late each time · what the server refused for good
 */
export async function insist<T>(limits: Limits, what: string, call: (deadline: number) => Promise<T>): Promise<T> {
  const start = Date.now();
  const end = start + limits.patience;
  for (let tries = 1; ; tries += 1) {
    limits.closing.throwIfAborted();
    try {
      const deadline = Math.max(1, Math.min(limits.deadline, end - Date.now()));
      return await within(deadline, call(deadline));
    } catch (error) {
      const trouble = troubleOf(error);
      if (isLasting(trouble)) throw trouble;
      const wait = pauseBefore(tries + 1, limits.random);
      if (Date.now() + wait >= end) throw givenUp(trouble, what, limits, tries, Date.now() - start);
      await pause(wait, limits.closing);
    }
  }
}

/** Milliseconds, half of them by chance, so that those who lost the same server do not come back together. */
export function pauseBefore(tries: number, random: () => number): number {
  const most = Math.min(2000, 50 * 2 ** Math.min(10, tries - 1));
  return most / 2 + (most / 2) * random();
}

/** Ends early, without an error, when the signal aborts. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
  });
}

/** The client knows deadlines for some calls only, and not while it looks for a cluster's leader. */
async function within<T>(milliseconds: number, call: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Late()), milliseconds + graceForTheServersOwnError);
  });
  try {
    return await Promise.race([call, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** ms: gRPC ends a call at its deadline with an error that says more. */
const graceForTheServersOwnError = 100;

function givenUp(trouble: Trouble, what: string, limits: Limits, tries: number, waited: number): HindsightError {
  const details = { tries, waitedMs: waited };
  const times = tries === 1 ? 'once' : `${tries} times in ${(waited / 1000).toFixed(1)} s`;
  if (trouble.kind === 'unreachable') {
    const sentence = `EventStoreDB could not be reached, tried ${times}: ${trouble.reason}. ${what}`;
    return new HindsightError('unreachable', sentence, details, { cause: trouble.cause });
  }
  const sentence = `EventStoreDB did not answer within ${limits.deadline} ms, tried ${times}: ${trouble.reason}. ${what}`;
  return new HindsightError('unreachable', sentence, details, { cause: trouble.cause });
}
