import { fc, it as property } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import { counted, indented, printable, shownContent, shownTime, size } from './shown.js';

it.each([
  ['plain', 'plain'],
  ['把MySQL 8.0迁移到PostgreSQL 🚀', '把MySQL 8.0迁移到PostgreSQL 🚀'],
  ['two\nlines\tand a tab', 'two\nlines\tand a tab'],
  ['of Windows\r\nand hidden\rshown', 'of Windows\nand hidden\\u000dshown'],
  ['nul\u0000 and escape \u001b[31m', 'nul\\u0000 and escape \\u001b[31m'],
  ['reordered \u202Etxt.exe', 'reordered \\u202etxt.exe'],
  ['half \uD83D of a pair', 'half \\ud83d of a pair'],
  ['مرحبا', 'مرحبا'],
])('shows %j as %j', (content, shown) => expect(shownContent(content)).toBe(shown));

property.prop([fc.string({ unit: 'binary' })])('lets no control character through', (text) => {
  expect(printable(text)).not.toMatch(/(?![\t\n])\p{Cc}/u);
  expect(printable(text).isWellFormed()).toBe(true);
});

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

it('sizes in the units of the limits', () => {
  expect(size(0)).toBe('0 B');
  expect(size(20_480)).toBe('20.0 KiB');
  expect(size(123_456_789)).toBe('117.7 MiB');
});

it('indents the lines after the first', () => expect(indented('a\nb\r\nc', '  ')).toBe('a\n  b\n  c'));
