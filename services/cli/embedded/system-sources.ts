import { v7 } from 'uuid';
import type { Sources } from '#contract/sources.js';
import { pooledRandom } from '#sealing/pooled-random.js';

/** The clock and chance of this machine. */
export const systemSources: Sources = { now: Date.now, uuid: () => v7(), random: pooledRandom() };
