import { expect, it } from 'vitest';
import { counted, indented, shownContent, shownTime } from './shown.js';

it.each([
  ['plain', 'plain'],
  ['把MySQL 8.0迁移到PostgreSQL 🚀', '把MySQL 8.0迁移到PostgreSQL 🚀'],
  ['two\nlines\tand a tab', 'two\nlines\tand a tab'],
  ['nul\u0000 and escape \u001b[31m', 'nul\uFFFD and escape \uFFFD[31m'],
  ['reordered \u202Etxt.exe', 'reordered \uFFFDtxt.exe'],
  ['half \uD83D of a pair', 'half \uFFFD of a pair'],
  ['مرحبا', 'مرحبا'],
])('shows %j as %j', (content, shown) => expect(shownContent(content)).toBe(shown));

it('shows an object as JSON', () => expect(shownContent({ a: 1 })).toBe('{"a":1}'));

it('cuts what is very long, not in the middle of a character, and says how long it is', () =>
  expect(shownContent('🚀'.repeat(5_000), 101)).toBe(`${'🚀'.repeat(50)}… (10,000 characters in all)`));

it.each([
  ['2026-03-02T00:00:00.000Z', '2026-03-02'],
  ['2026-03-02T14:05:59.999Z', '2026-03-02 14:05 UTC'],
  ['2026-03-02T09:00:00+08:00', '2026-03-02 01:00 UTC'],
  ['yesterday', 'yesterday'],
])('shows the time %s as %s', (iso, shown) => expect(shownTime(iso)).toBe(shown));

it('counts in words', () => {
  expect(counted(1, 'memory', 'memories')).toBe('1 memory');
  expect(counted(1_200, 'memory', 'memories')).toBe('1,200 memories');
});

it('indents the lines after the first', () => expect(indented('a\nb\r\nc', '  ')).toBe('a\n  b\n  c'));
