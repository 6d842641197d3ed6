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

/** Work of so much size at most at the same moment; the others wait in their order. What is larger than all of it goes alone. */
export function createPlaces(count: number): { take<T>(work: () => Promise<T>, size?: number): Promise<T> } {
  const waiting: { size: number; go: () => void }[] = [];
  let free = count;
  function next(): void {
    while (waiting[0] && waiting[0].size <= free) {
      const { size, go } = waiting.shift()!;
      free -= size;
      go();
    }
  }
  return {
    async take(work, size = 1) {
      const taken = Math.min(size, count);
      const turn = new Promise<void>((go) => waiting.push({ size: taken, go }));
      next();
      await turn;
      try {
        return await work();
      } finally {
        free += taken;
        next();
      }
    },
  };
}
