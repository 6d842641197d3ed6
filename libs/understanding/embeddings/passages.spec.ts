import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { modelOfPassages, passageOf, passageSpace } from './passages.js';

describe('passages', () => {
  it('are the text itself, or the turn before it and the text', () => {
    expect(passageOf('Lisbon')).toBe('Lisbon');
    expect(passageOf('Lisbon', 'Where do you live?')).toBe('Where do you live?\nLisbon');
  });

  it('hold the end of a long turn before, and less of it where its characters say more', () => {
    expect(passageOf('no', 'a'.repeat(2_000))).toBe(`${'a'.repeat(400)}\nno`);
    expect(passageOf('不', '好'.repeat(2_000))).toBe(`${'好'.repeat(100)}\n不`);
    expect(passageOf('no', `${'a'.repeat(900)}${'好'.repeat(50)}`)).toBe(`${'a'.repeat(200)}${'好'.repeat(50)}\nno`);
  });

  test.prop([fc.string({ unit: 'grapheme', maxLength: 1_500 }), fc.string({ maxLength: 50 })])(
    'end with the text, and begin with an end of the one before that has no half character',
    (before, text) => {
      const passage = passageOf(text, before);
      expect(passage.endsWith(`\n${text}`)).toBe(true);
      const window = passage.slice(0, passage.length - text.length - 1);
      expect(before.endsWith(window)).toBe(true);
      expect(window).toBe(Buffer.from(window).toString());
    },
  );

  it('have a space of their own for each model', () => {
    const space = passageSpace({ model: 'e5', dimensions: 384 });
    expect(space).toEqual(passageSpace({ model: 'e5', dimensions: 384 }));
    expect(space.dimensions).toBe(384);
    expect(space.model).not.toBe(passageSpace({ model: 'e6', dimensions: 384 }).model);
    expect(space.model.slice(0, 16)).not.toBe(passageSpace({ model: 'e6', dimensions: 384 }).model.slice(0, 16));
  });

  it('know the model of their space, and no other', () => {
    const model = { model: 'e5', dimensions: 384 };
    expect(modelOfPassages(passageSpace(model))).toEqual(model);
    expect(modelOfPassages(model)).toBeUndefined();
    expect(modelOfPassages({ model: `${'0'.repeat(16)}e5`, dimensions: 384 })).toBeUndefined();
  });
});
