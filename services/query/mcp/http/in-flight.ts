/** Calls that are being answered, so that a stop can wait for them. */
export interface InFlight {
  /** Returns what to call when the call is answered; calling it again does nothing. */
  begin(): () => void;
  /** Resolves when none is left, or after this many milliseconds; false then. */
  settled(withinMs: number): Promise<boolean>;
}

export function createInFlight(): InFlight {
  const calls = new Set<symbol>();
  const waiting = new Set<() => void>();
  return {
    begin() {
      const call = Symbol();
      calls.add(call);
      return () => {
        if (calls.delete(call) && calls.size === 0) for (const done of waiting) done();
      };
    },
    async settled(withinMs) {
      if (calls.size === 0) return true;
      return new Promise((resolve) => {
        const timer = setTimeout(() => resolve(false), withinMs);
        waiting.add(() => {
          clearTimeout(timer);
          resolve(true);
        });
      });
    },
  };
}
