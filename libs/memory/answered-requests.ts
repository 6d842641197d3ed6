/** What a repeated request is answered with. */
export interface Answered {
  /** Keyed hash of the request: the same idempotency key with another one is an error. */
  readonly print: string;
  readonly outcome: 'stored' | 'forgotten' | 'restored' | 'archived' | 'quarantined' | 'released';
  readonly version: number;
}

/** Requests that changed a memory, by keyed hash of their idempotency key. Immutable. */
export interface AnsweredRequests {
  get(key: string): Answered | undefined;
  with(key: string, answered: Answered): AnsweredRequests;
}

type Layers = readonly ReadonlyMap<string, Answered>[];

/**
 * Kept in layers of falling size, each at least twice the next: a slot that was written 10,000 times shares all but a few
 * entries with the state before it, where copying one map at each write took eight seconds.
 */
function layered(layers: Layers): AnsweredRequests {
  return {
    get: (key) => layers.findLast((layer) => layer.has(key))?.get(key),
    with: (key, answered) => {
      const kept = [...layers];
      let newest: ReadonlyMap<string, Answered> = new Map([[key, answered]]);
      while (kept.length > 0 && kept.at(-1)!.size < 2 * newest.size) newest = new Map([...kept.pop()!, ...newest]);
      return layered([...kept, newest]);
    },
  };
}

export const noRequests: AnsweredRequests = layered([]);
