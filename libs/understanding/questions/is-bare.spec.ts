import { expect, it } from 'vitest';
import { understandQuestion } from './understand-question.js';

const isBare = (question: string) => understandQuestion(question, { now: '2026-06-14T10:00:00Z' }).bare;

it.each([
  'What happened on 15 March 2026?',
  'what was said yesterday?',
  'What did we do in April 2026?',
  'what happened',
  'what do you know?',
  '2026年3月15日发生了什么？',
  '昨天我们聊了什么？',
])('asks for whatever there is: %s', (question) => {
  expect(isBare(question)).toBe(true);
});

it.each([
  'Who called in March 2026?',
  'What happened to the printer yesterday?',
  'What was the budget in 2025?',
  'ticket 15',
  '🍕',
  '🍕 yesterday?',
  '昨天谁值班？',
  '三月的预算是多少？',
])('asks for something: %s', (question) => {
  expect(isBare(question)).toBe(false);
});
