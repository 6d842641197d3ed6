import { Refusal } from './refusal.js';

const sentences = {
  token_full: 'This token has as many sessions in use as one may have: half of all.',
  full: 'All sessions of this server are in use.',
} as const;

export function noRoom(why: keyof typeof sentences): Refusal {
  return tooMany(sentences[why]);
}

export function tooMany(sentence: string): Refusal {
  return new Refusal(503, 'too_many', sentence, { hint: 'Try again in a moment.', headers: { 'Retry-After': '5' } });
}
