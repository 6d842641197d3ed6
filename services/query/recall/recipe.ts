import { createHash } from 'node:crypto';
import { canonicalJson } from '#events/canonical.js';
import { termPipelineVersion } from '#understanding/terms/terms.js';

/**
 * Everything that decides an answer besides the question and the memories. A basis names its recipe, so changing a number
 * here ends the bases given out before: change it with a measurement (npm run bench -- quality).
 */
export const recipe = {
  termPipeline: termPipelineVersion,
  bm25: {
    k1: 0.9,
    /** Length says little among short memories, and much among long ones. */
    bShort: 0.2,
    bLong: 0.75,
    /** Terms from which on a memory is long. */
    longFrom: 150,
  },
} as const;

/** Names the recipe in a basis. */
export const recipeId = createHash('sha256').update(canonicalJson(recipe)).digest('hex').slice(0, 16);
