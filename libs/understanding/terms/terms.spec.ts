import { describe, expect, it } from 'vitest';
import { analyseDocument } from './analyse-document.js';
import { analyseQuestion } from './analyse-question.js';

const terms = (text: string): string[] => [...analyseDocument(text).counts.keys()];
const shared = (document: string, question: string): string[] => {
  const { counts } = analyseDocument(document);
  return [...analyseQuestion(question).telling].filter((term) => counts.has(term));
};

describe('analyseDocument', () => {
  it('stems and lowers English, and leaves function words out', () => {
    expect(terms('The migrations were running')).toEqual(['migrat', 'run']);
  });

  it('counts repetitions into the length', () => {
    const { counts, length } = analyseDocument('red red blue');
    expect([counts.get('red'), length]).toEqual([2, 3]);
  });

  it('cuts Han runs into characters and overlapping pairs', () => {
    expect(terms('数据库')).toEqual(['数', '据', '数据', '库', '据库']);
  });

  it('parts scripts in mixed text', () => {
    expect(terms('把MySQL 8.0迁移到PostgreSQL')).toEqual(
      expect.arrayContaining(['mysql', '8.0', '迁移', 'postgresql']),
    );
  });

  it.each([
    ['/etc/nginx/nginx.conf', ['etc/nginx/nginx.conf', 'nginx.conf', 'nginx', 'conf']],
    ['src/app/main.ts', ['src/app/main.ts', 'src', 'app', 'main.ts', 'main', 'ts']],
    ['v2.3.1', ['2.3.1', '2.3', '2']],
    ['user_id', ['user_id', 'user', 'id']],
    ['getUserName', ['get', 'user', 'name']],
    ['blue-green', ['blue-green', 'blue', 'green']],
    ['ERR_SQLITE_ERROR', ['err_sqlite_error', 'sqlite', 'error']],
    ['E0425', ['e0425']],
    ['SQLSTATE 42P01', ['sqlstate', '42p01']],
    ['ann.lee@example.com', ['ann.lee@example.com', 'example.com', 'ann', 'lee']],
    ['https://example.com/docs', ['example.com/docs', 'example.com', 'doc']],
    ['C++ and C#', ['c++', 'c#']],
    ['1,250', ['1250']],
    ['std::vector', ['std::vector', 'std', 'vector']],
  ])('keeps %s whole and in parts', (text, expected) => {
    expect(terms(text)).toEqual(expect.arrayContaining(expected));
  });

  it('takes pictures for terms that add to no length', () => {
    const { counts, length } = analyseDocument('pizza 🍕🍕 for all 👍🏽 ✔️');
    expect([counts.get('🍕'), counts.get('👍'), counts.get('✔'), length]).toEqual([2, 1, 1, 1]);
    expect(terms('👩‍👩‍👧 🇩🇪🇨🇭')).toEqual(['👩', '👧', '🇩🇪', '🇨🇭']);
    // How a picture is drawn is no word that all of them share, and marks of text are none.
    expect(shared('☀️', '❤️')).toEqual([]);
    expect(terms('© → ™ … 🏽')).toEqual(['tm']);
  });

  it('folds width, case, diacritics and possessives', () => {
    expect(terms('ＣＡＦÉ')).toEqual(terms('cafe'));
    expect(terms('Straße')).toEqual(terms('strasse'));
    expect(terms("Ann's")).toEqual(terms('ann'));
    expect(terms('O’Brien')).toContain('obrien');
  });

  it('cuts kana and Hangul into pairs', () => {
    expect(terms('データ')).toEqual(['デー', 'ータ']);
    expect(terms('데이터')).toEqual(['데이', '이터']);
  });

  it.each(['\u0000', '\ud800', '', '🚀🚀', '\u202e', '...///'])('finds nothing in %j', (text) => {
    expect(analyseDocument(text).length).toBe(0);
  });
});

describe('analyseQuestion', () => {
  it.each(['what is it', '的 了 是 什么', '这是什么？', '为什么', "what's that?", '???'])(
    'has no content in %j',
    (text) => {
      expect(analyseQuestion(text).counts.size).toBe(0);
    },
  );

  it('takes its pictures where it says nothing else', () => {
    expect([...analyseQuestion('what about 🍕?').telling]).toEqual(['🍕']);
    expect([...analyseQuestion('pizza 🍕').telling]).toEqual(['pizza']);
    expect(shared('We had 🍕 again', '🍕🍕')).toEqual(['🍕']);
  });

  it('meets what a document says', () => {
    expect(shared('The cafés are closed', 'which café is closing?')).toEqual(['cafe', 'close']);
    expect(shared('数据库已迁移到PostgreSQL', '现在用的数据库是什么')).toEqual(['数据', '据库']);
    expect(shared('bumped to v2.3.1', 'is it 2.3?')).toEqual(['2.3', '2']);
  });

  it('takes a single character for a word only where it stands alone', () => {
    expect(analyseQuestion('猫在哪里').telling.has('猫')).toBe(true);
    expect(analyseQuestion('计算机').telling.has('机')).toBe(false);
  });

  it('keeps words that merely hold a function character', () => {
    expect(analyseQuestion('目的地').telling.has('目的')).toBe(true);
  });

  it('remembers how a term was written', () => {
    expect(analyseQuestion('Migrations').words.get('migrat')).toBe('Migrations');
  });
});
