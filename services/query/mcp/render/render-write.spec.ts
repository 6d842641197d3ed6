import { expect, it } from 'vitest';
import type { WriteOutput } from '#contract/write.js';
import { renderWrite } from './render-write.js';

it.each<[WriteOutput, string]>([
  [{ status: 'stored', memory_id: 'm1', version: 1 }, 'Remembered as m1 (version 1).'],
  [
    { status: 'stored', memory_id: 'm1', version: 2, superseded: 1 },
    'Revised m1 (version 2); it supersedes version 1.',
  ],
  [{ status: 'unchanged', memory_id: 'm1', version: 2 }, 'Known already: m1 (version 2) says the same.'],
  [
    { status: 'quarantined', memory_id: 'm1', version: 2 },
    'Stored as m1 (version 2), but held back: nobody is served it until a reviewer has looked at it and released it.',
  ],
  [
    { status: 'conflict', memory_id: 'm1', version: 3 },
    'Not stored: m1 is at version 3 now. Read it again, then revise what it says.',
  ],
])('%j', (output, text) => expect(renderWrite(output)).toBe(text));

it('sums a batch up and tells what failed', () => {
  const error = { code: 'too_large', message: 'content has 70000 bytes.', hint: 'Split the content.' };
  const items = [
    { status: 'stored' as const, memory_id: 'm1', version: 1 },
    { status: 'error' as const, error },
  ];
  expect(renderWrite({ status: 'stored', items })).toBe(
    '2 items: 1 stored, 1 failed.\nitems[1]: too_large: content has 70000 bytes. Split the content.',
  );
});

it('says of a batch what is held back', () => {
  const items = [
    { status: 'stored' as const, memory_id: 'm1', version: 1 },
    { status: 'quarantined' as const, memory_id: 'm2', version: 2 },
  ];
  expect(renderWrite({ status: 'stored', items })).toBe(
    '2 items: 1 stored, 1 quarantined.\nWhat is quarantined is not served before a reviewer has looked at it.',
  );
});

it('tells ten failures and counts the rest', () => {
  const failed = { status: 'error' as const, error: { code: 'too_large', message: 'm.' } };
  const text = renderWrite({ status: 'error', items: Array.from({ length: 12 }, () => failed) });
  expect(text.split('\n')).toHaveLength(12);
  expect(text).toContain('… and 2 more failures.');
});
