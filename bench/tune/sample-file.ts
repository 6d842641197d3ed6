import { featureNames } from '#query/recall/ranking/features.js';
import type { Sample } from './samples.js';

/** A line per question, JSON; numbers to the fifth digit. */
export function writeSamples(samples: readonly Sample[]): string {
  const lines = samples.map((sample) =>
    JSON.stringify({
      ...sample,
      names: featureNames,
      features: sample.features.map((row) => Array.from(row, (value) => Math.round(value * 1e5) / 1e5)),
    }),
  );
  return `${lines.join('\n')}\n`;
}

/** @throws Error when they were written with other features: they have to be taken anew */
export function readSamples(text: string): Sample[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { names, features, ...rest } = JSON.parse(line) as Sample & { names: string[] };
      if (names.join() !== featureNames.join())
        throw new Error('These candidates have other features: remove them, and run again.');
      return { ...rest, features: features.map((row) => Float64Array.from(row)) };
    });
}
