import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { best } from './best.js';

test.prop([fc.array(fc.integer({ min: 0, max: 5 })), fc.integer({ min: 1, max: 10 })])(
  'is the head of a full sort: by score, then the newer doc',
  (scores, limit) => {
    const docs = scores.map((_, doc) => doc);
    const sorted = docs.toSorted((one, other) => scores[other]! - scores[one]! || other - one);
    expect(best(docs, (doc) => scores[doc]!, limit)).toEqual(sorted.slice(0, limit));
  },
);
