import { expect, it } from 'vitest';
import { featureNames } from '#query/recall/ranking/features.js';
import { forms } from '#query/recall/ranking/form.js';
import { answerRows, fitAnswer, withheld } from './fit-answer.js';
import type { Sample } from './samples.js';

const row = (values: Partial<Record<(typeof featureNames)[number], number>>) =>
  Float64Array.from(featureNames, (name) => values[name] ?? 0);
const sample = (place: number, isHeld: boolean, across = 0): Sample => ({
  set: 's',
  bank: `b${place % 5}`,
  question: `q${place}`,
  category: isHeld ? 'c' : 'asked elsewhere',
  form: 'fact',
  vectors: true,
  features: [
    row({ words: 1, bestCoverage: isHeld ? 0.8 : 0.2, meaningCosine: isHeld ? 0.7 : 0.1, meaningAcross: across }),
    row({ words: 0.2, bestCoverage: isHeld ? 0.8 : 0.2 }),
  ],
  ids: ['a', 'b'],
  relevant: [isHeld, false],
  total: isHeld ? 1 : 0,
});
const weights = { intercept: -1, of: { words: 2 }, cut: 0.02 };
const ofForms = Object.fromEntries(forms.map((form) => [form, weights])) as Record<
  (typeof forms)[number],
  typeof weights
>;

it('tells questions that something answers from those that nothing does', () => {
  const rows = answerRows(
    Array.from({ length: 40 }, (_, place) => sample(place, place % 2 === 0)),
    ofForms,
  );
  const told = withheld(rows, fitAnswer(rows), 0.5);
  expect(told.get('s: found')).toEqual({ asked: 20, empty: 0 });
  expect(told.get('s: asked elsewhere')).toEqual({ asked: 20, empty: 20 });
});

it('leaves out what is not told: the best in another language, and questions without a candidate', () => {
  expect(answerRows([sample(0, true, 1), { ...sample(1, true), features: [] }], ofForms)).toEqual([]);
});
