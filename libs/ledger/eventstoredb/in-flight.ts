/** Runs at most so many at once; the others wait in the order in which they came. */
export function atMost(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // The place goes on to who waits first; nobody who comes in between can take it.
      if (next) next();
      else running -= 1;
    }
  };
}
