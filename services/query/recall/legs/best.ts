/** Docs that were found, in no order, and the score of each. */
export interface Scored {
  readonly docs: Int32Array;
  readonly scores: Float64Array;
}

/** Places in `docs` and `scores` of the best, best first; of equal scores the newer doc first. */
export function best({ docs, scores }: Scored, limit: number): number[] {
  // A heap with the worst of the best on top, so that a broad question does not sort all it finds.
  const heap: number[] = [];
  const worse = (one: number, other: number): boolean => {
    const difference = scores[one]! - scores[other]!;
    return difference < 0 || (difference === 0 && docs[one]! < docs[other]!);
  };
  for (let place = 0; place < docs.length; place++) {
    if (heap.length < limit) {
      heap.push(place);
      rise(heap, worse);
    } else if (worse(heap[0]!, place)) {
      heap[0] = place;
      sink(heap, worse);
    }
  }
  return heap.sort((one, other) => (worse(one, other) ? 1 : -1));
}

type Order = (one: number, other: number) => boolean;

function rise(heap: number[], before: Order): void {
  for (let at = heap.length - 1; at > 0; ) {
    const parent = (at - 1) >> 1;
    if (!before(heap[at]!, heap[parent]!)) return;
    swap(heap, at, parent);
    at = parent;
  }
}

function sink(heap: number[], before: Order): void {
  for (let at = 0; ; ) {
    let first = at;
    for (let child = 2 * at + 1; child <= 2 * at + 2; child++)
      if (child < heap.length && before(heap[child]!, heap[first]!)) first = child;
    if (first === at) return;
    swap(heap, at, first);
    at = first;
  }
}

function swap(heap: number[], one: number, other: number): void {
  [heap[one], heap[other]] = [heap[other]!, heap[one]!];
}
