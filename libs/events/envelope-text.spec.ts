import { test } from '@fast-check/vitest';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalJson, type Json } from './canonical.js';
import type { Envelope } from './envelope.js';
import { envelopeText } from './envelope-text.js';

const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('"', '\\', '\u2028', 'ü', '\ud83d\ude00'));
const count = fc.nat();
const required = {
  v: fc.constant(1),
  hashAlgorithm: fc.constant('hl-sha256-1'),
  id: text,
  ledger: text,
  bank: text,
  stream: text,
  revision: count,
  type: text,
  schema: count,
  recordedAt: text,
  principal: text,
  previous: fc.option(text),
  data: fc.dictionary(text, fc.oneof(text, count, fc.array(text))),
};
const optional = {
  ...Object.fromEntries(
    ['agent', 'session', 'task', 'step', 'tool', 'causationId', 'correlationId'].map((name) => [name, text]),
  ),
  request: fc.record({ key: text, print: text }),
  subjects: fc.array(text),
  trust: fc.double({ min: 0, max: 1, noNaN: true }),
  box: fc.record({ f: fc.constant(1), a: fc.constant('A256GCM'), k: text, n: text, c: text }),
};
const envelopes = fc.record(
  { ...required, ...optional },
  { requiredKeys: Object.keys(required) as (keyof typeof required)[] },
);

test.prop([envelopes])('is the canonical JSON of any envelope', (given) => {
  const event = given as unknown as Envelope;
  expect(envelopeText(event)).toBe(canonicalJson(given as unknown as Json));
});

it('refuses what has no canonical form', () => {
  const event = fc.sample(envelopes, { numRuns: 1, seed: 1 })[0] as unknown as Envelope;
  expect(() => envelopeText({ ...event, trust: Number.NaN })).toThrow(/no canonical form/);
  expect(() => envelopeText({ ...event, agent: 'x\ud800' })).toThrow(/lone surrogate/);
});
