/** Work on things that one at a time may work on. */
export interface Turns {
  /** After whatever was begun before on any of these. */
  take<T>(places: readonly number[], work: () => Promise<T>): Promise<T>;
  isFree(place: number): boolean;
}

export function createTurns(): Turns {
  const last = new Map<number, Promise<unknown>>();
  return {
    isFree: (place) => !last.has(place),
    async take(places, work) {
      const before = Promise.all(places.map((place) => last.get(place)));
      const mine = before.then(work);
      const settled = mine.catch(() => undefined);
      for (const place of places) last.set(place, settled);
      try {
        return await mine;
      } finally {
        for (const place of places) if (last.get(place) === settled) last.delete(place);
      }
    },
  };
}

/** So many may work at the same moment; the others wait in their order. */
export function createPlaces(count: number): { take<T>(work: () => Promise<T>): Promise<T> } {
  const waiting: (() => void)[] = [];
  let free = count;
  return {
    async take(work) {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else free++;
      }
    },
  };
}
