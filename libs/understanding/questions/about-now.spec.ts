import { expect, it } from 'vitest';
import { understandQuestion } from './understand-question.js';

const isAboutNow = (question: string) => understandQuestion(question, { now: '2026-06-14T10:00:00Z' }).aboutNow;

it.each([
  'What is the retention of the logs?',
  'When is the audit scheduled?',
  'How many seats do we rent?',
  'How many seats did we book?',
  'Who runs the stand-up?',
  'By which day is the rent due?',
  'What status does the release have?',
  'Where does Priya live?',
  '日志保留时间是多少？',
  '例会在哪天？',
  '谁负责支付？',
])('asks how it stands: %s', (question) => {
  expect(isAboutNow(question)).toBe(true);
});

it.each([
  'What was the retention before?',
  'When did we move?',
  'How many days are there between the audit and the launch?',
  'How long does it take?',
  'What changed after the audit?',
  'How do I restart it?',
  'Why is it slow?',
  '原来的保留时间是多少？',
  '审计和上线之间有几天？',
  '怎么重启？',
  'retention of the logs',
  'What are the rules of the house?',
  'Which services have an owner?',
  'How many different editors have we tried?',
  'I want to learn the cello. What should I buy?',
  'What would you recommend for the trip?',
  '我们用过哪些编辑器？',
  '一共有几个人报名？',
])('does not: %s', (question) => {
  expect(isAboutNow(question)).toBe(false);
});
