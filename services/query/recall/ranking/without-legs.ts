import type { RecallLeg } from '#events/recall-settings.js';
import type { TakenQuestion } from './question.js';

/** A question as a bank takes it that has legs switched off: what they would have found it by is not there. Vectors are not even looked up. */
export function withoutLegs(question: TakenQuestion, off: ReadonlySet<RecallLeg>): TakenQuestion {
  if (off.size === 0) return question;
  return {
    ...question,
    ...(off.has('vector') ? { cosines: undefined, isShipped: false } : {}),
    ...(off.has('keyword') ? { terms: [], prefixes: [] } : {}),
    ...(off.has('slot') ? { keys: [], tags: [], slots: { words: [], keys: [], tags: [] } } : {}),
    ...(off.has('graph') ? { entities: [] } : {}),
    ...(off.has('time') ? { understood: { ...question.understood, dates: [] } } : {}),
  };
}
