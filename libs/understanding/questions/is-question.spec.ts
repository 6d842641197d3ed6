import { describe, expect, it } from 'vitest';
import { isQuestion } from './is-question.js';

describe('isQuestion', () => {
  it.each(['Is it up?', 'Is it up? 🙂', '“Is it up?”', 'really?!', '在吗', '在吗？', '好嗎', '你来么', '(why?) '])(
    '%s asks',
    (text) => {
      expect(isQuestion(text)).toBe(true);
    },
  );

  it.each(['It is up.', 'Why? Because.', '没什么', '要么', '', '🙂', '???'.replaceAll('?', '')])(
    '%j does not',
    (text) => {
      expect(isQuestion(text)).toBe(false);
    },
  );
});
