import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { analyseDocument } from '../terms/analyse-document.js';
import { drawDocument } from './draw-document.js';

const json = JSON.stringify;
const fieldsOf = (field: string, drawn: ReturnType<typeof drawDocument>) =>
  [...drawn.fields.keys()].filter((term) => term.startsWith(`${field}\0`)).map((term) => term.slice(field.length + 1));

describe('what is drawn from a memory', () => {
  it('keeps the terms of its fields apart, and counts those of its key in the text', () => {
    const drawn = drawDocument(
      { content: json('PostgreSQL 16 since March'), key: 'project.database', tags: ['Data stores', '数据'] },
      false,
    );
    expect(fieldsOf('key', drawn)).toEqual(['project.database', 'project', 'databas']);
    expect(fieldsOf('tag', drawn)).toEqual(['data', 'store', '数', '据', '数据']);
    expect(drawn.keyLength).toBe(3);
    expect([...drawn.text.keys()]).toEqual(expect.arrayContaining(['postgresql', '16', 'project.database', 'databas']));
    expect(drawn.text.has('store')).toBe(false);
    expect(fieldsOf('prefix', drawn)).toEqual(['postg', 'proje', 'datab']);
    expect(fieldsOf('entity', drawn)).toEqual([...drawn.entities]);
    expect(drawn.entities).toContain('postgresql');
  });

  it('counts a beginning for all words that have it', () => {
    const { fields } = drawDocument({ content: json('painter painters paintbrush paint') }, false);
    expect(fields.get('prefix\0paint')).toBe(3);
  });

  it('names its subjects, and not who says it', () => {
    const drawn = drawDocument({ content: json('Caroline: I saw Melanie in Paris'), subjects: ['Ada Lee'] }, true);
    expect(drawn.speaker).toBe('caroline');
    expect(drawn.entities[0]).toBe('ada lee');
    expect(drawn.entities).toEqual(expect.arrayContaining(['melanie', 'paris']));
    expect(drawn.entities).not.toContain('caroline');
  });

  it('says what the text is', () => {
    const said = (text: string) => {
      const { isQuestion, mentionsTime, language, bytes } = drawDocument({ content: json(text) }, false);
      return [isQuestion, mentionsTime, language, bytes];
    };
    expect(said('did we move yesterday?')).toEqual([true, true, 'en', 22]);
    expect(said('上周三搬家了')).toEqual([false, true, 'zh', 18]);
    expect(said('🚀')).toEqual([false, false, 'other', 4]);
  });

  it('keeps 32 names at most, and finds one in a long text', () => {
    const names = Array.from({ length: 60 }, (_, at) => `tool-${at}.example.com`);
    expect(drawDocument({ content: json(names) }, false).entities).toHaveLength(32);
    expect(drawDocument({ content: json(`${'x '.repeat(50_000)} Paris`) }, false).entities).toEqual([]);
  });

  const anyText = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.constantFrom('', '\0', '\ud800', 'Ann: ?'),
  );
  test.prop([
    fc.record({ text: anyText, key: fc.option(anyText, { nil: undefined }), tags: fc.array(anyText) }),
    fc.boolean(),
  ])(
    'is the same for the same, and counts what a text with the key below it would',
    ({ text, key, tags }, inSession) => {
      const drawn = drawDocument({ content: json(text), key, tags }, inSession);
      expect(drawDocument({ content: json(text), key, tags }, inSession)).toEqual(drawn);
      const whole = analyseDocument(key === undefined ? text : `${text}\n${key}`);
      expect([drawn.text, drawn.length]).toEqual([whole.counts, whole.length]);
      expect([...drawn.fields.values()].every((times) => times > 0)).toBe(true);
      expect(drawn.entities.length).toBeLessThanOrEqual(32);
    },
  );
});
