import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { best } from './best.js';

test.prop([fc.array(fc.integer({ min: 0, max: 5 })), fc.integer({ min: 1, max: 10 })])(
  'is the head of a full sort: by score, then the newer doc',
  (scores, limit) => {
    const docs = scores.map((_, place) => place * 3);
    const places = docs.map((_, place) => place);
    const sorted = places.toSorted((one, other) => scores[other]! - scores[one]! || docs[other]! - docs[one]!);
    const scored = { docs: Int32Array.from(docs), scores: Float64Array.from(scores) };
    expect(best(scored, limit)).toEqual(sorted.slice(0, limit));
  },
);
