import { expect, it } from 'vitest';
import { hasNoAnswer, languageOf, type QuestionRecord, questionsOf, spread } from './questions.js';

const record = (given: Partial<QuestionRecord>): QuestionRecord => ({
  id: 'q',
  conv_id: 'c1',
  text: 'Where does Ana live?',
  answer: 'Porto',
  ...given,
});

it('takes sessions for what is relevant only where no memory is named', () => {
  const [byMemory, bySession] = questionsOf([
    record({ relevant_ids: ['m1'], relevant_session_ids: ['s1'] }),
    record({ relevant_ids: [], relevant_session_ids: ['s1'] }),
  ]);
  expect(byMemory).toMatchObject({ relevant: new Set(['m1']), bySession: false });
  expect(bySession).toMatchObject({ relevant: new Set(['s1']), bySession: true });
});

it('leaves out what was never labelled, and keeps what has no answer', () => {
  const asked = questionsOf([
    record({ id: 'unlabelled', relevant_ids: [] }),
    record({ id: 'abstention', relevant_ids: [], category: 'abstention' }),
    record({ id: 'empty', relevant_ids: [], answer: [''] }),
    record({ id: 'null', relevant_ids: [], answer: null }),
    record({ id: 'trap', relevant_ids: [], must_not_ids: ['m9'] }),
  ]);
  expect(asked.map(({ id }) => id)).toEqual(['abstention', 'empty', 'null', 'trap']);
});

it('calls nothing unanswerable that has a label', () => {
  expect(hasNoAnswer(record({ relevant_ids: ['m1'], category: 'abstention', answer: [''] }))).toBe(false);
  expect(hasNoAnswer(record({ relevant_session_ids: ['s1'], answer: null }))).toBe(false);
});

it('asks for a day only where facts say when they held', () => {
  const dated = record({ relevant_ids: ['m1'], as_of: '2019-12-31' });
  expect(questionsOf([dated])[0]?.validAt).toBeUndefined();
  expect(questionsOf([dated], { dated: true })[0]?.validAt).toBe('2019-12-31');
});

it('says whether a question names what the answer is about', () => {
  const subjects = new Map([
    ['m1', '故宫'],
    ['m2', '天坛'],
  ]);
  const asked = [
    record({ text: '故宫几点开门？', relevant_ids: ['m1'] }),
    record({ text: '它几点开门？', relevant_ids: ['m1'] }),
    record({ text: '天坛呢？', relevant_ids: ['m1', 'm2'] }),
    record({ text: '故宫', relevant_ids: ['m3'] }),
  ];
  expect(questionsOf(asked, { subjects }).map(({ named }) => named)).toEqual([true, false, true, undefined]);
});

it('tells languages by script, names aside', () => {
  expect(languageOf('谁负责 PostgreSQL 迁移？')).toBe('Chinese');
  expect(languageOf('What does 红隼 do?')).toBe('English');
  expect(languageOf('12:30?')).toBe('English');
});

it('spreads a limit over all questions, the same ones each time', () => {
  expect(spread([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 3)).toEqual([0, 3, 6]);
  expect(spread([0, 1], 5)).toEqual([0, 1]);
  expect(spread([0, 1], undefined)).toEqual([0, 1]);
});
