import { describe, expect, it } from 'vitest';
import { understandQuestion } from './understand-question.js';

const now = '2023-06-14T10:00:00Z';
const asked = (question: string) => understandQuestion(question, { now });

describe('the kind of answer', () => {
  it.each([
    ['Who owns the billing service?', 'who'],
    ['Whose laptop broke?', 'who'],
    ['When did we ship?', 'when'],
    ['What year did we ship?', 'when'],
    ['How long ago was it?', 'when'],
    ['Where is the config?', 'where'],
    ['Which city does Priya live in?', 'where'],
    ['What is the port?', 'value'],
    ['Which editor do I use?', 'value'],
    ['How many replicas are there?', 'count'],
    ['How much does it cost?', 'count'],
    ['How do I restart it?', 'how'],
    ['Why did it fail?', 'why'],
    ['Is the cache warm?', 'whether'],
    ['cache port', undefined],
    ['谁负责支付？', 'who'],
    ['什么时候上线？', 'when'],
    ['哪一年毕业的？', 'when'],
    ['发布会在哪天？', 'when'],
    ['体检安排在哪个月？', 'when'],
    ['体检在哪做？', 'where'],
    ['配置在哪里？', 'where'],
    ['她住在哪个城市？', 'where'],
    ['端口是什么？', 'value'],
    ['有多少台服务器？', 'count'],
    ['他有几个孩子？', 'count'],
    ['怎么重启？', 'how'],
    ['为什么失败？', 'why'],
    ['缓存热了吗？', 'whether'],
    ['缓存端口', undefined],
  ] as const)('%s wants %s', (question, wanted) => {
    expect(asked(question).wanted).toBe(wanted);
  });
});

describe('what was before', () => {
  it.each([
    'Where did Priya use to live? Where she used to live',
    'What was the port before?',
    'Which database did we originally use?',
    'What was the former name?',
    'What was previously set?',
    'Which editor did I use before switching?',
    '以前用的是哪个数据库？',
    '原来的端口是多少？',
    '她之前住在哪里？',
    '曾经用过什么编辑器？',
  ])('asks for it: %s', (question) => {
    expect(asked(question).past).toBe(true);
  });

  it.each([
    'Who was on call before March?',
    'What happened before 2020?',
    'What is the port?',
    'What should I do before the release?',
    '三月之前谁值班？',
    '三天之前发生了什么？',
    '2020年以前的数据在哪里？',
    '端口是多少？',
  ])('does not: %s', (question) => {
    expect(asked(question).past).toBe(false);
  });
});

describe('whose words', () => {
  it.each([
    'Where do I live?',
    'What is my port?',
    'what did I tell you about Priya?',
    '我的端口是多少',
    '我跟你说过的数据库是哪个',
  ])('the asker’s: %s', (question) => {
    expect(asked(question).firstPerson).toBe(true);
  });

  it.each([
    'Where does Priya live?',
    'Can you tell me where Priya lives?',
    'In 2020, who left?',
    '请告诉我端口是多少',
    'Which image?',
  ])('nobody’s: %s', (question) => {
    expect(asked(question).firstPerson).toBe(false);
  });
});

describe('what was told to whoever asks', () => {
  it.each([
    'How did you recommend planning the trip?',
    'Which of the routes you suggested was the shorter one?',
    'What was your advice on the lease?',
    '你之前推荐的路线是哪条？',
  ])('is asked for: %s', (question) => {
    expect(asked(question).ofYou).toBe(true);
  });

  it.each([
    'How would you suggest planning the trip?',
    'What did I tell you about the lease?',
    'Can you tell me the port?',
    'What did Priya recommend?',
    '我跟你说过的端口是多少？',
  ])('is not: %s', (question) => {
    expect(asked(question).ofYou).toBe(false);
  });
});

describe('filler', () => {
  it.each([
    ['What did I tell you about my dog?', 'my dog?', ['What did I tell you about']],
    ['Do you remember where Priya lives?', 'where Priya lives?', ['Do you remember']],
    ['Can you tell me the port?', 'the port?', ['Can you tell me']],
    ['Hey, could you please remind me about the port?', 'the port?', ['Hey,', 'could you please remind me about']],
    ['which port is it, please?', 'which port is it', [', please?']],
    ['你还记得端口是多少吗？', '端口是多少吗？', ['你还记得']],
    ['我跟你说过的端口是多少？', '端口是多少？', ['我跟你说过的']],
    ['请问端口是多少？', '端口是多少？', ['请问']],
    ['which port is it?', 'which port is it?', []],
    ['where is the office now?', 'where is the office?', ['now']],
    ['What is our current port?', 'What is our port?', ['current']],
    ['What is the port at the moment?', 'What is the port?', ['at the moment']],
    ['目前的端口是多少？', '端口是多少？', ['目前的']],
    ['what now', 'what', ['now']],
    ['electric current', 'electric current', []],
  ])('%s', (question, text, cut) => {
    const { text: left, cut: gone } = asked(question);
    expect({ text: left, cut: gone }).toEqual({ text, cut });
  });

  it.each(['tell me', 'Do you remember', '请问', '你还记得吗', 'hello', '?', ''])(
    'leaves %j, for nothing would be left',
    (question) => {
      expect(asked(question)).toMatchObject({ text: question, cut: [] });
    },
  );

  it.each(['Remember to water the plants', 'Hitoshi moved', 'Sorry is a song'])(
    'leaves what only begins alike: %s',
    (question) => {
      expect(asked(question).text.length).toBeGreaterThan(question.length - 9);
    },
  );
});

it('finds names and times in the question as it was asked', () => {
  const question = 'Do you remember where Priya went in May 2022?';
  const { entities, dates, language } = asked(question);
  expect(language).toBe('en');
  expect(entities.map(({ words }) => question.slice(...words))).toEqual(['Priya']);
  expect(dates.map(({ words }) => question.slice(...words))).toEqual(['May 2022']);
});

describe('names in small letters', () => {
  it.each([
    ['where does priya live?', ['priya']],
    ['Where does priya live?', ['priya']],
    ['did i meet hannah in oslo', ['hannah', 'oslo']],
    ['what did jan say in may', []],
    ['will it rain, or may i go', []],
    ['Which rose does Priya like?', ['Priya']],
    ['is the apple on the target?', []],
  ])('count where a question has no capitals: %s', (question, names) => {
    expect(asked(question).entities.map(({ name }) => name)).toEqual(names);
  });
});
