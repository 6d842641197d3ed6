import { expect, it } from 'vitest';
import { renderForget } from './render-forget.js';

it('names what was forgotten and how it comes back', () =>
  expect(renderForget({ status: 'forgotten', forgotten: ['m1'] }, { memory_id: 'm1', reason: 'x' })).toBe(
    'Forgotten: 1 memory (m1). memory_restore brings back what should not have gone.',
  ));

it('shows what a filter means before anything goes, with the token to confirm it', () => {
  const would_forget = Array.from({ length: 25 }, (_, index) => ({
    memory_id: `m${index}`,
    version: 1,
    preview: `step ${index}\nof it`,
  }));
  const lines = renderForget(
    { status: 'dry_run', forgotten: [], would_forget, total: 130, confirm: 'c1.abc' },
    { filter: { tags: ['x'] }, reason: 'old' },
  ).split('\n');
  expect(lines[0]).toBe('Nothing is forgotten yet. 130 memories would go:');
  expect(lines[1]).toBe('- step 0 of it · id m0');
  expect(lines.slice(-2)).toEqual([
    '… and 110 more.',
    'To forget exactly these, call again with the same filter and confirm: c1.abc',
  ]);
});

it('says when a filter means nothing', () =>
  expect(
    renderForget({ status: 'dry_run', forgotten: [], would_forget: [], total: 0 }, { filter: {}, reason: 'x' }),
  ).toBe('No current memory matches: nothing would be forgotten.'));

it('says when there was nothing to do', () => {
  const output = { status: 'unchanged' as const, forgotten: [] };
  expect(renderForget(output, { memory_id: 'm1', reason: 'x' })).toBe('It was forgotten already.');
  expect(renderForget(output, { filter: { tags: ['x'] }, reason: 'x' })).toContain('No current memory matches');
});

it('shows what an erase would take, and what names the person and would stay', () => {
  const preview = { memory_id: 'm1', version: 1, preview: 'Ada likes tea' };
  const erasure = { names: ['Ada'], also_mentioned: 1, also_mentioned_in: [{ ...preview, memory_id: 'm2' }] };
  const text = renderForget(
    { status: 'dry_run', forgotten: [], would_forget: [preview], total: 1, confirm: 'e1.abc', erasure },
    { filter: { subject: 'Ada' }, reason: 'asked to', mode: 'erase' },
  );
  expect(text.split('\n')).toEqual([
    'Nothing is erased yet. 1 memory would go for good:',
    '- Ada likes tea · id m1',
    '1 memory more mention "Ada" and would stay; erase them by their ids if they are about the person:',
    '- Ada likes tea · id m2',
    'To erase exactly these, call again with the same filter and confirm: e1.abc',
  ]);
});

it('says what an erase came to', () => {
  const asked = { memory_id: 'm1', reason: 'x', mode: 'erase' as const };
  expect(renderForget({ status: 'erased', forgotten: ['m1'], erasure: { id: 'e1', left: ['m2'] } }, asked)).toContain(
    '1 memory was changed meanwhile and left (m2): ask again',
  );
  expect(renderForget({ status: 'erased', forgotten: ['m1'], erasure: { id: 'e1' } }, asked)).toContain(
    'Erased: 1 memory (m1). Nothing opens',
  );
  expect(
    renderForget(
      { status: 'erasing', forgotten: ['m1'], erasure: { id: 'e1', waits_for: 'The views are behind.' } },
      asked,
    ),
  ).toContain('goes on by itself. It is not completed yet: The views are behind.');
});
