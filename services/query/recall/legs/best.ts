/** The best `limit` docs by score, best first; of equal scores the newer doc first. A heap, so that a broad question does not sort all it finds. */
export function best(docs: readonly number[], score: (doc: number) => number, limit: number): number[] {
  const heap: number[] = [];
  const worse = (one: number, other: number): boolean => {
    const difference = score(one) - score(other);
    return difference < 0 || (difference === 0 && one < other);
  };
  const sink = (): void => {
    for (let at = 0; ; ) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < heap.length && worse(heap[child]!, heap[least]!)) least = child;
      if (least === at) return;
      [heap[at], heap[least]] = [heap[least]!, heap[at]!];
      at = least;
    }
  };
  const rise = (): void => {
    for (let at = heap.length - 1; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!worse(heap[at]!, heap[parent]!)) return;
      [heap[at], heap[parent]] = [heap[parent]!, heap[at]!];
      at = parent;
    }
  };
  for (const doc of docs) {
    if (heap.length < limit) {
      heap.push(doc);
      rise();
    } else if (worse(heap[0]!, doc)) {
      heap[0] = doc;
      sink();
    }
  }
  return heap.sort((one, other) => (worse(one, other) ? 1 : -1));
}
