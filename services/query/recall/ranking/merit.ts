import type { View } from '../../basis/open-view.js';

/**
 * What is added to a candidate's sum for what it is, whatever is asked. No set that is at hand has labels for these, so they are set by hand
 * and small: none of them moves a memory past one that fits the question clearly better. What a writer said nothing of adds nothing.
 */
const worth = { importance: 1, confidence: 1, trust: 0.5, feedback: 1 };
const usual = { importance: 0.5, confidence: 1, trust: 0.5 };

type Weighed = Pick<View, 'index' | 'seq'>;

/** By its importance, how sure its writer was, how far its writer is trusted and how it fared up to the basis. */
export function meritOf(view: Weighed): (doc: number) => number {
  const { columns } = view.index;
  const feedback = feedbackOf(view);
  return (doc) =>
    worth.importance * (columns.importance[doc]! - usual.importance) +
    worth.confidence * (columns.confidence[doc]! - usual.confidence) +
    worth.trust * (columns.trust[doc]! - usual.trust) +
    worth.feedback * feedback(doc);
}

/** The same, part by part, as `explain` tells it; what adds nothing is not told. */
export function meritParts(view: Weighed): (doc: number) => Record<string, { value: number; weight: number }> {
  const { columns } = view.index;
  const feedback = feedbackOf(view);
  return (doc) => {
    const values = {
      importance: columns.importance[doc]! - usual.importance,
      confidence: columns.confidence[doc]! - usual.confidence,
      trust: columns.trust[doc]! - usual.trust,
      feedback: feedback(doc),
    };
    const names = Object.keys(worth) as (keyof typeof worth)[];
    const told = names.filter((name) => values[name] !== 0);
    return Object.fromEntries(told.map((name) => [name, { value: values[name], weight: worth[name] }]));
  };
}

function feedbackOf({ index: { columns, ratings }, seq }: Weighed): (doc: number) => number {
  const rated = new Map<number, string>();
  for (const memoryId of ratings.rated()) {
    const number = columns.memories.get(memoryId);
    if (number !== undefined) rated.set(number, memoryId);
  }
  return (doc) => {
    const memoryId = rated.get(columns.memory[doc]!);
    return memoryId === undefined ? 0 : (ratings.weightAt(memoryId, columns.version[doc]!, seq) ?? 0);
  };
}
