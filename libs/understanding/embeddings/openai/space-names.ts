import type { VectorSpace } from '../embedder.js';
import { sameModel } from './probe.js';

export interface SpaceNames {
  /** The name that a space goes by: that of vectors that are kept of the same model, else the one that it was given here. */
  nameOf(own: VectorSpace): Promise<VectorSpace>;
}

/**
 * Each process measures the probe for itself, so that two may give one model two names; what counts is the name that vectors are kept under.
 * As long as there are none it is looked for again now and then: another process may make the first.
 * @param known spaces that vectors are kept of, the one in use at the end
 * @param lookEvery milliseconds
 */
export function spaceNames(known: () => Promise<readonly VectorSpace[]>, lookEvery = 2_000): SpaceNames {
  const given: VectorSpace[] = [];
  let last: { readonly own: string; readonly name: VectorSpace; readonly until: number } | undefined;
  return {
    async nameOf(own) {
      const now = performance.now();
      if (last?.own === own.model && now < last.until) return last.name;
      const kept = (await known().catch(() => [])).findLast((each) => sameModel(each, own));
      const name = kept ?? given.findLast((each) => sameModel(each, own)) ?? own;
      if (!given.some(({ model }) => model === name.model)) given.push(name);
      last = { own: own.model, name, until: kept ? Number.POSITIVE_INFINITY : now + lookEvery };
      return name;
    },
  };
}
