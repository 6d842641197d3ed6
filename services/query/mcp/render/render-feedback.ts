import type { FeedbackInput, FeedbackOutput } from '#contract/feedback.js';

export function renderFeedback({ status, version, weight }: FeedbackOutput, { outcome }: FeedbackInput): string {
  const done =
    status === 'rated'
      ? `Noted: ${outcome}, of version ${version}.`
      : `Noted before: ${outcome}, of version ${version}.`;
  return `${done} Its weight is now ${weightText(weight)} (from -1 to 1, by all who rated it).`;
}

/** With its sign, since a weight may speak against a memory. */
export function weightText(weight: number): string {
  return `${weight > 0 ? '+' : ''}${weight.toFixed(2)}`;
}
