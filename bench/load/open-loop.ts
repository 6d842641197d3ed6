import { setTimeout as sleep } from 'node:timers/promises';

export interface OpenLoop {
  readonly perSecond: number;
  readonly seconds: number;
}

export interface Sent {
  readonly sent: number;
  readonly failed: number;
  /** From the first call to when the last was due. */
  readonly seconds: number;
  /** What the first that failed said. */
  readonly error: unknown;
}

/**
 * Calls `send` at a steady rate, however long each takes: who falls behind is waited for by nobody, and what is late counts from when it was
 * due. Resolves when the last has been answered.
 * @param send is told its number and when it was due (performance.now())
 */
export async function openLoop(
  { perSecond, seconds }: OpenLoop,
  send: (index: number, due: number) => Promise<void>,
): Promise<Sent> {
  const all = Math.round(perSecond * seconds);
  const answers = new Set<Promise<void>>();
  const began = performance.now();
  let failed = 0;
  let error: unknown;
  for (let index = 0; index < all; index++) {
    const due = began + (1000 * index) / perSecond;
    while (due > performance.now()) await sleep(due - performance.now());
    const answered: Promise<void> = send(index, due)
      .catch((reason: unknown) => {
        failed++;
        error ??= reason;
      })
      .finally(() => answers.delete(answered));
    answers.add(answered);
  }
  const took = (performance.now() - began) / 1000;
  await Promise.all(answers);
  return { sent: all, failed, seconds: took, error };
}
