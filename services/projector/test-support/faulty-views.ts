import type { Views } from '#views/views.js';

const methods = [
  'stamp',
  'generations',
  'checkpoints',
  'startGeneration',
  'switchTo',
  'drop',
  'numbersOf',
  'load',
  'commit',
  'lease',
  'deadLetters',
] as const satisfies readonly (keyof Views)[];

/** Views whose calls fail now and then: before they did anything, or after they did all of it. */
export function faultyViews(views: Views, faults: { rate: number }, random: () => number): Views {
  return new Proxy(views, {
    get(target, name, receiver) {
      const found: unknown = Reflect.get(target, name, receiver);
      if (typeof found !== 'function' || !methods.some((method) => method === name)) return found;
      return async (...given: unknown[]) => {
        if (random() < faults.rate) throw new Error(`${String(name)} failed before`);
        const answer: unknown = await found.apply(target, given);
        if (random() < faults.rate) throw new Error(`${String(name)} failed after`);
        return answer;
      };
    },
  });
}

/** Numbers from 0 to 1 that a seed repeats (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
