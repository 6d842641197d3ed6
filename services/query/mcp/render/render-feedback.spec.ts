import { expect, it } from 'vitest';
import { renderFeedback } from './render-feedback.js';

const done = { memory_id: 'm', version: 2, basis: 'b1.x' };

it('says what was noted, of which version, and where the memory stands', () => {
  expect(renderFeedback({ ...done, status: 'rated', weight: 0.1428 }, { memory_id: 'm', outcome: 'success' })).toBe(
    'Noted: success, of version 2. Its weight is now +0.14 (from -1 to 1, by all who rated it).',
  );
});
it('says when nothing changed', () => {
  expect(renderFeedback({ ...done, status: 'unchanged', weight: -0.2 }, { memory_id: 'm', outcome: 'wrong' })).toBe(
    'Noted before: wrong, of version 2. Its weight is now -0.20 (from -1 to 1, by all who rated it).',
  );
});
