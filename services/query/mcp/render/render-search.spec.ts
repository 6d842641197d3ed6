import { expect, it } from 'vitest';
import { fullItem } from '../testing/fake-ports.js';
import { renderSearch } from './render-search.js';

const answer = { basis: 'b1.x', recall_id: 'r1' };

it('reads as a list with date, source, id and, where it is explained, the words it was found by', () =>
  expect(renderSearch({ ...answer, items: [fullItem] }, { query: 'x' })).toBe(
    `1 memory:
1. The database is PostgreSQL 16.
   true from 2026-03-01 to 2027-01-01 · written by local:ada with claude-code · key project.database · #infra #db · version 2 · score 0.83 · matched database · id ${fullItem.id}`,
  ));

it('names the memories that an item stands for', () => {
  const text = renderSearch({ ...answer, items: [{ ...fullItem, also: ['m7', 'm9'] }] }, { query: 'x' });
  expect(text).toContain(`id ${fullItem.id} · says the same as m7, m9`);
});

it('says plainly when nothing is relevant, and at what time it looked', () =>
  expect(renderSearch({ ...answer, items: [] }, { query: 'x', valid_at: '2026-01-10T00:00:00Z' })).toBe(
    'Nothing relevant is remembered, true at 2026-01-10.',
  ));

it('marks what is not current, and dates what happened', () => {
  const past = { ...fullItem, kind: 'episodic' as const, status: 'superseded' as const, score: undefined };
  const text = renderSearch(
    { ...answer, items: [past], notes: ['altered by an erasure'] },
    { query: 'x', as_of: '2026-03-05' },
  );
  expect(text).toContain('1 memory, as known at 2026-03-05:');
  expect(text).toContain('SUPERSEDED · 2026-03-01 · true from 2026-03-01 to 2027-01-01 · written by');
  expect(text).toContain('Note: altered by an erasure');
});

it('keeps the lines of a memory under its number', () => {
  const text = renderSearch({ ...answer, items: [{ ...fullItem, content: 'one\n2. two' }] }, { query: 'x' });
  expect(text).toContain('1. one\n   2. two\n');
});
