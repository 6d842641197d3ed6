/** A map by text of which each change makes another; what was there before is shared. */
export interface LayeredMap<V> {
  get(key: string): V | undefined;
  with(key: string, value: V): LayeredMap<V>;
  values(): V[];
}

type Layers<V> = readonly ReadonlyMap<string, V>[];

/**
 * Kept in layers of falling size, each at least twice the next: a slot that was written 10,000 times shares all but a few
 * entries with the state before it, where copying one map at each write took eight seconds.
 */
function layered<V>(layers: Layers<V>): LayeredMap<V> {
  return {
    get: (key) => layers.findLast((layer) => layer.has(key))?.get(key),
    with: (key, value) => {
      const kept = [...layers];
      let newest: ReadonlyMap<string, V> = new Map([[key, value]]);
      while (kept.length > 0 && kept.at(-1)!.size < 2 * newest.size) newest = new Map([...kept.pop()!, ...newest]);
      return layered([...kept, newest]);
    },
    values: () => [...new Map(layers.flatMap((layer) => [...layer])).values()],
  };
}

export function emptyLayers<V>(): LayeredMap<V> {
  return layered([]);
}
