import { expect, it } from 'vitest';
import { type FeatureName, featureNames } from '#query/recall/ranking/features.js';
import { seeded } from '../load/random.js';
import { chances, fitWeights, usable } from './fit-weights.js';
import type { Sample } from './samples.js';
import { signs } from './signs.js';

/** Questions with ten candidates each, of which what is relevant follows from these weights. */
function samples(of: Partial<Record<FeatureName, number>>, count = 300): Sample[] {
  const random = seeded(11);
  return Array.from({ length: count }, (_, question) => {
    const features = Array.from({ length: 10 }, () =>
      Float64Array.from(featureNames, (name) => (of[name] === undefined ? 0 : random())),
    );
    const relevant = features.map((row) => {
      const sum = featureNames.reduce((total, name, at) => total + (of[name] ?? 0) * row[at]!, -1.5);
      return random() < 1 / (1 + Math.exp(-sum));
    });
    return {
      set: 'a set',
      bank: `b${question % 7}`,
      question: `q${question}`,
      category: 'any',
      form: 'fact',
      vectors: true,
      features,
      ids: features.map((_, at) => `m${at}`),
      relevant,
      total: relevant.filter(Boolean).length,
    };
  });
}

it('learns which way each feature speaks, and how loudly', () => {
  const given = samples({ words: 3, meaning: 1, isQuestion: -2 });
  const { of } = fitWeights(given, usable(given));
  expect(Object.keys(of).sort()).toEqual(['isQuestion', 'meaning', 'words']);
  expect(of.words!).toBeGreaterThan(of.meaning!);
  expect(of.isQuestion!).toBeLessThan(0);
});

it('leaves out what would speak against its sign', () => {
  const wrong = { words: 2, tags: -3, isQuestion: 3, wordsBefore: -2 };
  const given = samples(wrong);
  const { of } = fitWeights(given, usable(given));
  expect(Object.keys(of).sort()).toEqual(['words', 'wordsBefore']);
  for (const [name, weight] of Object.entries(of))
    expect(signs[name as FeatureName] * weight).toBeGreaterThanOrEqual(0);
});

it('uses nothing of a feature that never differs from 0, and can be held to some', () => {
  const given = samples({ words: 2, meaning: 2 }, 100);
  expect([...usable(given)].sort()).toEqual(['meaning', 'words']);
  expect(usable(given, ['words', 'tags'])).toEqual(['words']);
  expect(Object.keys(fitWeights(given, ['meaning']).of)).toEqual(['meaning']);
});

it('gives candidates the chances that its weights come to', () => {
  const [sample] = samples({ words: 2 }, 1);
  const found = chances({ intercept: -1, of: { words: 4 } }, sample!);
  const at = featureNames.indexOf('words');
  for (const [place, chance] of found.entries())
    expect(chance).toBeCloseTo(1 / (1 + Math.exp(1 - 4 * sample!.features[place]![at]!)), 12);
});
