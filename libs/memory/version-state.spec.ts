import { test } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Said, saysAlready, versionState } from './version-state.js';

const data = { memoryId: 'm', version: 3, kind: 'semantic', origin: 'user' } as const;
const start = '2026-03-01T00:00:00.000Z';
const later = '2026-03-02T00:00:00.000Z';

const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 });
const instants = fc.constantFrom(start, later, '2026-04-01T00:00:00.000Z');
const said: fc.Arbitrary<Required<Said>> = fc.record({
  content: fc.oneof(fc.string(), fc.string({ minLength: 2000, maxLength: 2010 })).map((text) => JSON.stringify(text)),
  metadata: fc.dictionary(fc.string(), fc.integer(), { maxKeys: 2 }).map((each) => JSON.stringify(each)),
  kind: fc.constantFrom('semantic' as const, 'episodic' as const),
  origin: fc.constantFrom('user' as const, 'agent' as const),
  tags: names,
  subjects: names,
  derivedFrom: names,
  importance: fc.constantFrom(0, 0.5, 1),
  confidence: fc.constantFrom(0, 0.5, 1),
  occurredAt: instants,
  validFrom: instants,
  validTo: instants,
  expiresAt: instants,
});

function stateOf(of: Said) {
  const { content, metadata, tags, subjects, kind, origin, derivedFrom, ...numbersAndTimes } = of;
  return versionState(
    {
      ...data,
      ...(kind && { kind }),
      ...(origin && { origin }),
      ...numbersAndTimes,
      derivedFrom: mutable(derivedFrom),
    },
    { content, metadata, tags: mutable(tags), subjects: mutable(subjects) },
    Date.parse(of.validFrom ?? start),
  );
}
const mutable = (list: readonly string[] | undefined) => list && [...list];
const without = (of: Said, fields: readonly string[]) =>
  Object.fromEntries(Object.entries(of).filter(([name]) => !fields.includes(name))) as unknown as Said;

const optional = ['metadata', 'kind', 'origin', 'tags', 'subjects', 'derivedFrom', 'importance', 'confidence'] as const;
const times = ['occurredAt', 'validFrom', 'validTo', 'expiresAt'] as const;
const fields = [...optional, ...times];

describe('what a version says already', () => {
  test.prop([said, fc.subarray(fields)])(
    'is all that a write gives of what it says, whatever it leaves out',
    (of, left) => {
      expect(saysAlready(stateOf(of), without(of, left))).toBe(true);
    },
  );

  test.prop([said, said, fc.subarray(fields)])(
    'is nothing else: one field that differs is enough',
    (of, other, left) => {
      const asked = without(other, left);
      const differs = Object.entries(asked).some(([name, value]) => told(value) !== told(of[name as keyof Said]));
      expect(saysAlready(stateOf(of), asked)).toBe(!differs);
    },
  );

  it('keeps long texts apart', () => {
    const long = (end: string) => JSON.stringify('x'.repeat(5000) + end);
    expect(saysAlready(stateOf({ content: long('a') }), { content: long('a') })).toBe(true);
    expect(saysAlready(stateOf({ content: long('a') }), { content: long('b') })).toBe(false);
    expect(stateOf({ content: long('a') }).content.length).toBeLessThan(100);
  });

  it('takes an empty list or object for what says nothing', () => {
    expect(saysAlready(stateOf({ content: '"a"' }), { content: '"a"', tags: [], metadata: '{}' })).toBe(true);
    expect(saysAlready(stateOf({ content: '"a"', tags: ['x'] }), { content: '"a"', tags: [] })).toBe(false);
    expect(saysAlready(stateOf({ content: '"a"', metadata: '{"b":1}' }), { content: '"a"', metadata: '{}' })).toBe(
      false,
    );
  });

  it('knows no value that nobody gave, even where a reader would be told the same', () => {
    expect(saysAlready(stateOf({ content: '"a"' }), { content: '"a"', importance: 0.5 })).toBe(false);
  });
});

function told(value: unknown): string {
  return JSON.stringify(Array.isArray(value) ? [...value].sort() : value);
}
