/** Keeps what was used last, up to a total weight. */
export interface BoundedCache<V> {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  clear(): void;
}

/** @param weigh of a value, in the unit of `limit`; everything weighs 1 by default */
export function boundedCache<V>(limit: number, weigh: (value: V) => number = () => 1): BoundedCache<V> {
  // A Map keeps the order of insertion: its first entry is the one that was longest unused.
  const entries = new Map<string, V>();
  let newest: string | undefined;
  let weight = 0;
  return {
    get(key) {
      const value = entries.get(key);
      if (value === undefined || key === newest) return value;
      entries.delete(key);
      entries.set(key, value);
      newest = key;
      return value;
    },
    set(key, value) {
      const before = entries.get(key);
      if (before !== undefined) {
        weight -= weigh(before);
        entries.delete(key);
      }
      entries.set(key, value);
      newest = key;
      weight += weigh(value);
      for (const [oldest, old] of entries) {
        if (weight <= limit || oldest === key) break;
        entries.delete(oldest);
        weight -= weigh(old);
      }
    },
    clear() {
      entries.clear();
      newest = undefined;
      weight = 0;
    },
  };
}
