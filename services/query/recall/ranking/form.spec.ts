import { expect, it } from 'vitest';
import { docFlags } from '#views/doc-flags.js';
import { emptyColumns, putDoc, putSpan } from '../../bank-index/columns.js';
import { pointAt, visibilityAt } from '../../bank-index/visibility.js';
import { docRow } from '../../test-support/doc-row.js';
import { formOf } from './form.js';

const speaker = '0123456789abcdef';

/** The forms of a turn, of what nobody says in a session, of what somebody says outside of one, and of what stands alone. */
function forms(lengths: readonly number[], gone: readonly number[] = [], flags: number = docFlags.latin): string[] {
  const columns = emptyColumns();
  const given = [{ sessionId: 's1', speaker }, { sessionId: 's1' }, { speaker }, {}];
  for (const [doc, length] of lengths.entries()) {
    putDoc(columns, docRow({ doc, length, flags, ...given[doc] }));
    putSpan(columns, {
      memoryId: `m${doc}`,
      doc,
      version: 1,
      status: gone.includes(doc) ? 'retracted' : 'current',
      validFrom: 0,
      validTo: Infinity,
      seqFrom: 1,
      seqTo: Infinity,
      systemFrom: '2026-03-01T00:00:00.000Z',
    });
  }
  const form = formOf(columns, visibilityAt(columns, pointAt(1, 10)));
  return lengths.map((_, doc) => form(doc));
}

it('tells turns from notes by whether somebody says them, and both from facts by their session', () => {
  expect(forms([10, 10, 10, 10])).toEqual(['turn', 'note', 'fact', 'fact']);
});

it('tells notes in Chinese from others, also with a word in Latin letters in them', () => {
  for (const flags of [docFlags.han, docFlags.han | docFlags.latin])
    expect(forms([10, 10, 10, 10], [], flags)).toEqual(['turn', 'hanNote', 'fact', 'fact']);
  expect(forms([10, 10, 10, 10], [], 0)).toEqual(['turn', 'note', 'fact', 'fact']);
});

it('tells long texts from short ones by what is usual in the bank', () => {
  expect(forms([200, 200, 200, 200])).toEqual(['message', 'message', 'passage', 'passage']);
  // One short text among long ones is one of them, and the other way round.
  expect(forms([5, 200, 200, 200])).toEqual(['message', 'message', 'passage', 'passage']);
  expect(forms([10, 10, 10, 200])).toEqual(['turn', 'note', 'fact', 'fact']);
});

it('goes by what is current', () => {
  expect(forms([10, 10, 10, 2000], [3])).toEqual(['turn', 'note', 'fact', 'fact']);
  expect(forms([10, 10, 10, 2000])).toEqual(['message', 'message', 'passage', 'passage']);
});
