import { expect, it } from 'vitest';
import { learned } from './learned-weights.js';
import { checkOwnWeights, featuresVersion, weightsWith } from './own-weights.js';

const own = (intercept: number) => ({ intercept, of: { words: 1 }, cut: 0.1 });
const of = (forms: Parameters<typeof checkOwnWeights>[0]['forms']) => ({ features: featuresVersion, forms });

it('ranks by a bank’s own weights where it has some, and by those that ship for all else', () => {
  const both = weightsWith(of({ turn: { vectors: own(1) } }), learned)!;
  expect(both.turn).toEqual({ vectors: own(1), keywords: learned.turn.keywords });
  expect(both.fact).toEqual(learned.fact);
});

it('holds what a bank taught of notes for those in Chinese, unless it taught something of these', () => {
  const ofNotes = { vectors: own(1), keywords: own(2) };
  expect(weightsWith(of({ note: ofNotes }), learned)!.hanNote).toEqual(ofNotes);
  expect(weightsWith(of({ note: ofNotes, hanNote: { vectors: own(3) } }), learned)!.hanNote).toEqual({
    vectors: own(3),
    keywords: learned.hanNote.keywords,
  });
  expect(weightsWith(of({ hanNote: ofNotes }), learned)!.note).toEqual(learned.note);
});

it('takes no weights for other features', () => {
  const given = { features: '1.00000000', forms: { note: { vectors: own(1) } } };
  expect(weightsWith(given, learned)).toBeUndefined();
  expect(() => checkOwnWeights(given)).toThrow(/this release ranks by/);
  expect(() => checkOwnWeights(of({ diary: { vectors: own(1) } }))).toThrow(/forms are turn, message, note, hanNote/);
});
