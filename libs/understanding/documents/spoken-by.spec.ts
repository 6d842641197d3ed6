import { describe, expect, it } from 'vitest';
import { foldedSpeaker } from '../terms/field-terms.js';
import { spokenBy } from './spoken-by.js';

const speaks = (text: string, metadata?: object, inSession = true) => {
  const { name, from } = spokenBy(text, metadata && JSON.stringify(metadata), inSession);
  return [name, text.slice(from)];
};

describe('who speaks', () => {
  it.each([
    ['Caroline: Hey Mel!', 'Caroline', 'Hey Mel!'],
    ['Ann Lee-Hall : hello', 'Ann Lee-Hall', 'hello'],
    ["Seán O'Brien：hi there", undefined, "Seán O'Brien：hi there"],
    ["Seán O'Brien： hi there", "Seán O'Brien", 'hi there'],
    ['assistant: Certainly!', 'assistant', 'Certainly!'],
    ['小王：明天见', '小王', '明天见'],
    ['安娜·卡列尼娜: 你好', '安娜·卡列尼娜', ' 你好'],
  ])('stands before the colon in %s', (text, name, said) => {
    expect(speaks(text)).toEqual([name, said]);
  });

  it.each([
    'Note: ask Ann',
    'TODO: fix it',
    '注意：明天停电',
    'we met at 10: 30',
    'https://example.com/x',
    'The next things that we have to do: rest',
    '我们昨天在会议上决定了：用Redis',
    'Ann said: hello',
    '',
  ])('is nobody in %j', (text) => {
    expect(speaks(text)).toEqual([undefined, text]);
  });

  it('is nobody outside of a session, unless the metadata name somebody', () => {
    expect(speaks('Berlin: the capital', undefined, false)).toEqual([undefined, 'Berlin: the capital']);
    expect(speaks('Ada: hello', { speaker: 'Ada', mood: 'glad' }, false)).toEqual(['Ada', 'hello']);
    expect(speaks('hello', { speaker: 'Ada' })).toEqual(['Ada', 'hello']);
    expect(speaks('Bob: hello', { speaker: 'Ada' })).toEqual(['Ada', 'Bob: hello']);
    expect(speaks('Bob: hello', { speaker: ' ' })).toEqual(['Bob', 'hello']);
    expect(speaks('Bob: hello', { speaker: 7, other: 'speaker' })).toEqual(['Bob', 'hello']);
  });
});

describe('a speaker’s name', () => {
  it.each([
    ['Caroline', 'caroline'],
    ['Ann Lee', 'ann'],
    ['Dr. José Núñez', 'jose'],
    ['ＡＮＮ', 'ann'],
    ["O'Brien, Pat", 'obrien'],
    ['王伟', '王伟'],
    [' 安娜 卡列尼娜', '安娜卡列尼娜'],
    ['...', undefined],
    ['Dr.', undefined],
  ])('%s is told by %s', (name, folded) => {
    expect(foldedSpeaker(name)).toBe(folded);
  });
});
