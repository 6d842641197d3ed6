/**
 * Numbers for ids, 1, 2, … in the order in which they come, without keeping the ids: 64 bits of each, found by open addressing. A Map of strings
 * takes 100 bytes for each of them, this 20 to 40.
 */
export interface IdNumbers {
  readonly size: number;
  /** The id's number; gives it one where it has none. */
  add(high: number, low: number): number;
  /** Undefined for an id that never came. */
  get(high: number, low: number): number | undefined;
  high(number: number): number;
  low(number: number): number;
}

export function idNumbers(): IdNumbers {
  let size = 0;
  let keys = new Int32Array(32);
  // A power of two, at most half full; 0 is free.
  let slots = new Int32Array(32);

  function slotOf(high: number, low: number): number {
    const mask = slots.length - 1;
    let at = (high ^ Math.imul(low, 0x9e3779b1)) & mask;
    for (;;) {
      const number = slots[at]!;
      if (number === 0 || (keys[number * 2] === high && keys[number * 2 + 1] === low)) return at;
      at = (at + 1) & mask;
    }
  }

  function grow(): void {
    const grown = new Int32Array(Math.ceil((size + 2) * 1.5) * 2);
    grown.set(keys.subarray(0, (size + 1) * 2));
    keys = grown;
  }

  function rehash(): void {
    slots = new Int32Array(slots.length * 2);
    for (let number = 1; number <= size; number++) slots[slotOf(keys[number * 2]!, keys[number * 2 + 1]!)] = number;
  }

  return {
    get size() {
      return size;
    },
    add(high, low) {
      const at = slotOf(high | 0, low | 0);
      if (slots[at] !== 0) return slots[at]!;
      if ((size + 2) * 2 > keys.length) grow();
      const number = ++size;
      keys[number * 2] = high;
      keys[number * 2 + 1] = low;
      slots[at] = number;
      if (size * 2 > slots.length) rehash();
      return number;
    },
    get: (high, low) => slots[slotOf(high | 0, low | 0)] || undefined,
    high: (number) => keys[number * 2]!,
    low: (number) => keys[number * 2 + 1]!,
  };
}

/** By keyed hashes of 16 hex digits: all of their bits. */
export interface HashNumbers {
  readonly size: number;
  add(hash: string): number;
  get(hash: string): number | undefined;
  /** The hash of a number. */
  hash(number: number): string;
}

export function hashNumbers(): HashNumbers {
  const numbers = idNumbers();
  const half = (bits: number): string => (bits >>> 0).toString(16).padStart(8, '0');
  return {
    get size() {
      return numbers.size;
    },
    add: (hash) => numbers.add(highOf(hash), lowOf(hash)),
    get: (hash) => numbers.get(highOf(hash), lowOf(hash)),
    hash: (number) => half(numbers.high(number)) + half(numbers.low(number)),
  };
}

function highOf(hash: string): number {
  return Number.parseInt(hash.slice(0, 8), 16) | 0;
}

function lowOf(hash: string): number {
  return Number.parseInt(hash.slice(8, 16), 16) | 0;
}

/**
 * By ids of any form (of memories, of sessions), of which 64 bits are kept: among a million, two are taken for one with a chance of 3 in
 * 100 million, and what hangs on that is the weight of an answer.
 */
export interface TextNumbers {
  readonly size: number;
  add(id: string): number;
  get(id: string): number | undefined;
}

export function textNumbers(): TextNumbers {
  const numbers = idNumbers();
  return {
    get size() {
      return numbers.size;
    },
    add(id) {
      const { high, low } = hashed(id);
      return numbers.add(high, low);
    },
    get(id) {
      const { high, low } = hashed(id);
      return numbers.get(high, low);
    },
  };
}

/** cyrb53 (bryc, public domain), its two halves as they are. */
function hashed(id: string): { high: number; low: number } {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < id.length; at++) {
    const unit = id.charCodeAt(at);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return { high, low };
}
