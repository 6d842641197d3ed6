/** Docs that were found, in no order, and the score of each: the first `count` places, all of them where none is given. */
export interface Scored {
  readonly docs: Int32Array;
  readonly scores: Float64Array;
  readonly count?: number;
}

/** Places in `docs` and `scores` of the best, best first; of equal scores the newer doc first. */
export function best(scored: Scored, limit: number): number[] {
  const { docs, scores, count = docs.length } = scored;
  // A heap with the worst of the best on top, so that a broad question does not sort all it finds.
  const heap = new Int32Array(Math.min(limit, count));
  let held = 0;
  for (; held < heap.length; held++) {
    heap[held] = held;
    rise(heap, held, scored);
  }
  for (let place = held; held > 0 && place < count; place++) {
    const least = heap[0]!;
    if (scores[place]! < scores[least]! || !isWorse(scored, least, place)) continue;
    heap[0] = place;
    sink(heap, scored);
  }
  return [...heap].sort((one, other) => (isWorse(scored, one, other) ? 1 : -1));
}

function isWorse({ docs, scores }: Scored, one: number, other: number): boolean {
  const difference = scores[one]! - scores[other]!;
  return difference < 0 || (difference === 0 && docs[one]! < docs[other]!);
}

function rise(heap: Int32Array, from: number, scored: Scored): void {
  for (let at = from; at > 0; ) {
    const parent = (at - 1) >> 1;
    if (!isWorse(scored, heap[at]!, heap[parent]!)) return;
    swap(heap, at, parent);
    at = parent;
  }
}

function sink(heap: Int32Array, scored: Scored): void {
  for (let at = 0; ; ) {
    let first = at;
    for (let child = 2 * at + 1; child <= 2 * at + 2; child++)
      if (child < heap.length && isWorse(scored, heap[child]!, heap[first]!)) first = child;
    if (first === at) return;
    swap(heap, at, first);
    at = first;
  }
}

function swap(heap: Int32Array, one: number, other: number): void {
  const held = heap[one]!;
  heap[one] = heap[other]!;
  heap[other] = held;
}
