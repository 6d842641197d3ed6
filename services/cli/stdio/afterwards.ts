/** Milliseconds without a call after the first answer, and milliseconds that a client that asks nothing is waited for. */
const pause = 500;
const atMost = 5_000;

/** What a server does once somebody was answered: nobody waits for it then. */
export interface Afterwards {
  /** A call was answered. */
  answered(): void;
  /** Ends what was begun, or sees to it that it never begins. */
  close(): Promise<void>;
}

/**
 * Begins a work when a client was answered and asks no more for a moment, or asks nothing at all.
 * @param begin resolves with what ends the work
 * @param onFailed what `begin` rejects with; nothing is to be ended then
 */
export function afterwards(
  begin: () => Promise<() => Promise<void>>,
  onFailed: (error: unknown) => void,
  times: { readonly pause: number; readonly atMost: number } = { pause, atMost },
): Afterwards {
  let begun: Promise<(() => Promise<void>) | undefined> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const start = () => {
    clearTimeout(timer);
    begun = begin().catch((error: unknown) => {
      onFailed(error);
      return undefined;
    });
  };
  const wait = (milliseconds: number) => {
    clearTimeout(timer);
    timer = setTimeout(start, milliseconds).unref();
  };
  wait(times.atMost);
  const first = performance.now();
  return {
    answered() {
      if (begun) return;
      // Whoever never pauses does not put it off for ever.
      wait(Math.max(0, Math.min(times.pause, first + times.atMost - performance.now())));
    },
    async close() {
      clearTimeout(timer);
      const end = await begun;
      await end?.();
    },
  };
}
