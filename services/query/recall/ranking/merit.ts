import type { View } from '../../basis/open-view.js';

/**
 * What is added to a candidate's sum for what it is, whatever is asked. No set that is at hand has labels for these, so they are set by hand
 * and small: none of them moves a memory past one that fits the question clearly better. What a writer said nothing of adds nothing.
 */
const worth = { importance: 1, confidence: 1, trust: 0.5, feedback: 1 };
const usual = { importance: 0.5, confidence: 1, trust: 0.5 };

/** By its importance, how sure its writer was, how far its writer is trusted and how it fared up to the basis. */
export function meritOf({ index: { columns, ratings }, seq }: Pick<View, 'index' | 'seq'>): (doc: number) => number {
  const rated = new Map<number, string>();
  for (const memoryId of ratings.rated()) {
    const number = columns.memories.get(memoryId);
    if (number !== undefined) rated.set(number, memoryId);
  }
  const feedback = (doc: number): number => {
    const memoryId = rated.get(columns.memory[doc]!);
    return memoryId === undefined ? 0 : (ratings.weightAt(memoryId, columns.version[doc]!, seq) ?? 0);
  };
  return (doc) =>
    worth.importance * (columns.importance[doc]! - usual.importance) +
    worth.confidence * (columns.confidence[doc]! - usual.confidence) +
    worth.trust * (columns.trust[doc]! - usual.trust) +
    worth.feedback * feedback(doc);
}
