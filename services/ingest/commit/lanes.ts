/** Lets those who work on the same memory in this process pass one after the other. */
export interface Lanes {
  /** Waits until everyone who came before with one of these ids has left; leave with what comes back. */
  enter(ids: readonly string[]): Promise<() => void>;
}

/**
 * All of a caller's places are taken in one tick, so that everyone's order is the same on all lanes: nobody can wait for
 * someone who waits for him. Without lanes, writers of one process would lose revision races against each other.
 */
export function openLanes(): Lanes {
  const last = new Map<string, Promise<void>>();
  return {
    async enter(ids) {
      if (ids.length === 0) return () => {};
      let leave = () => {};
      const left = new Promise<void>((resolve) => {
        leave = resolve;
      });
      const before = ids.map((id) => last.get(id)).filter((each) => each !== undefined);
      for (const id of ids) last.set(id, left);
      if (before.length) await Promise.all(before);
      return () => {
        for (const id of ids) if (last.get(id) === left) last.delete(id);
        leave();
      };
    },
  };
}
