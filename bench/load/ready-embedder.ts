import { createHash } from 'node:crypto';
import type { Embedder } from '#understanding/embeddings/embedder.js';
import { clusteredVectors } from '#views/postgres/vectors/testing/clustered-vectors.js';

const dimensions = 384;
/** Vectors of questions: as many as a bench asks, so that each has one of its own. */
const forQuestions = 4_096;

/**
 * Vectors that lie as a sentence model's do and cost next to nothing, so that what is measured is everything but the model. A question
 * has the same one each time; they mean nothing.
 */
export function readyEmbedder(): Embedder {
  const passage = clusteredVectors(dimensions, 8);
  const question = clusteredVectors(dimensions, 9);
  const questions = Array.from({ length: forQuestions }, question);
  const space = { model: createHash('sha256').update('ready-made').digest('hex'), dimensions };
  return {
    name: 'ready-made',
    space: async () => space,
    state: () => ({ state: 'ready' }),
    warm: () => undefined,
    embed: async (texts, role) =>
      texts.map((text) => (role === 'passage' ? passage() : questions[numberOf(text) % forQuestions]!)),
    close: async () => undefined,
  };
}

/** FNV-1a over UTF-16 units (Fowler, Noll and Vo 1991). */
function numberOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
