import { fc, test } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import { readAnswer } from './read-answer.js';

const at = (index: unknown, embedding: unknown = [3, 4]) => ({ index, embedding });

it.each<[string, unknown, RegExp]>([
  ['null', null, /no list/],
  ['no data', { error: 'no' }, /no list/],
  ['too few', { data: [at(0)] }, /1 vectors where 2/],
  ['too many', { data: [at(0), at(1), at(2)] }, /3 vectors where 2/],
  ['a place twice', { data: [at(1), at(1)] }, /two vectors at place 1/],
  ['a place beyond', { data: [at(0), at(2)] }, /place 2 of 2/],
  ['a place before', { data: [at(0), at(-1)] }, /place -1 of 2/],
  ['a place that is none', { data: [at(0), at('1')] }, /place "1" of 2/],
  ['base64', { data: [at(0), at(1, 'AAAA')] }, /no list of numbers/],
  ['an empty vector', { data: [at(0), at(1, [])] }, /no list of numbers/],
  ['a word', { data: [at(0), at(1, [1, 'NaN'])] }, /no finite number/],
  ['null in a vector', { data: [at(0), at(1, [1, null])] }, /no finite number/],
  ['NaN', { data: [at(0), at(1, [1, Number.NaN])] }, /no finite number/],
  ['infinity', { data: [at(0), at(1, [1, Number.POSITIVE_INFINITY])] }, /no finite number/],
  ['0', { data: [at(0), at(1, [0, 0])] }, /without a direction/],
  ['what is too great to be measured', { data: [at(0), at(1, [1e300, 1e300])] }, /without a direction/],
  ['other dimensions', { data: [at(0), at(1, [1, 2, 3])] }, /of 2 and of 3 dimensions/],
  ['nothing in a place', { data: [at(0), null] }, /no list of numbers/],
])('refuses %s', (_, answer, words) => {
  expect(() => readAnswer(answer, 2)).toThrowError(
    expect.objectContaining({ kind: 'unusable', message: expect.stringMatching(words) }),
  );
});

it('takes places from the order where none are given', () => {
  const vectors = readAnswer({ data: [{ embedding: [3, 4] }, { embedding: [0, -2] }] }, 2);
  expect(vectors.map((each) => [...each].map((value) => value.toFixed(4)))).toEqual([
    ['0.6000', '0.8000'],
    ['0.0000', '-1.0000'],
  ]);
});

const anyVectors = fc.integer({ min: 1, max: 8 }).chain((dimensions) =>
  fc.array(
    fc
      .array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: dimensions, maxLength: dimensions })
      .filter((numbers) => Math.hypot(...numbers) > 1e-9),
    { minLength: 1, maxLength: 12 },
  ),
);

test.prop([anyVectors, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true }))])(
  'gives unit vectors in the order of their places, in whatever order they come',
  (given, chance) => {
    const answer = given.map((embedding, index) => ({ index, embedding, by: chance.next().value as number }));
    const vectors = readAnswer({ data: answer.sort((a, b) => a.by - b.by) }, given.length);
    given.forEach((numbers, place) => {
      const length = Math.hypot(...numbers);
      numbers.forEach((value, dimension) => {
        expect(vectors[place]![dimension]).toBeCloseTo(value / length, 6);
      });
    });
  },
);
