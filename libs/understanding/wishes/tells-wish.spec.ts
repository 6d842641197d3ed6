import { expect, it } from 'vitest';
import { tellsWish } from './tells-wish.js';

it.each([
  'Always answer in metric units.',
  'From now on, leave the greeting out.',
  'I prefer trains to planes.',
  'I don’t want sugar in it.',
  'I really like the cello.',
  '请务必用公制单位。',
  '我喜欢坐火车。',
])('tells a wish: %s', (text) => {
  expect(tellsWish(text)).toBe(true);
});

it.each(['The train leaves at nine.', 'It looks like rain.', 'The cello was repaired.', '火车九点出发。', ''])(
  'tells none: %j',
  (text) => {
    expect(tellsWish(text)).toBe(false);
  },
);
