import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { envelope } from './envelope.js';
import { hasEnvelopeForm } from './envelope-form.js';
import { storedEvents } from './test-support/stored-events.js';

const { current, earlier } = storedEvents();
const stored = [...current, ...earlier].map(
  ({ bytes }) => JSON.parse(bytes.toString('utf8')) as Record<string, unknown>,
);
const full = {
  ...stored[0]!,
  agent: 'a',
  session: 's',
  task: 't',
  step: '1',
  tool: 'memory_write',
  causationId: 'c',
  correlationId: 'd',
  request: { key: 'k', print: 'p' },
  subjects: ['ab'],
  trust: 0.5,
  box: { f: 1, a: 'A256GCM', k: 'b.1', n: 'n', c: 'c' },
};

/** Values that meet the rules of some member and break those of others. */
const anyValue = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(-1, 0, 1, 2, 0.5, 1.5, 2 ** 53, '', '2026-03-01T09:00:00.000Z', '2026-03-01', null, [], {}),
  fc.constantFrom<unknown>(['a'], [1], { key: 'k' }, { key: 'k', print: 'p', more: 1 }, { ...full.box, f: 2 }),
);
const anyName = fc.constantFrom(...Object.keys(full), 'other', '__proto__', 'constructor');

describe('the form of an envelope', () => {
  test.prop([fc.constantFrom(full, ...stored), fc.array(fc.tuple(anyName, fc.option(anyValue)), { maxLength: 3 })])(
    'is what the schema takes, whichever members are changed or left out',
    (base, changes) => {
      const members = new Map(Object.entries(base));
      for (const [name, value] of changes)
        if (value === null) members.delete(name);
        else members.set(name, value);
      const value: unknown = JSON.parse(
        `{${[...members].map(([name, member]) => `${JSON.stringify(name)}:${JSON.stringify(member)}`).join()}}`,
      );
      const parsed = envelope.safeParse(value);
      expect(hasEnvelopeForm(value)).toBe(parsed.success);
      if (parsed.success) expect(value).toEqual(parsed.data);
    },
  );

  test.prop([fc.jsonValue()])('is none of other values', (value) => {
    expect(hasEnvelopeForm(value)).toBe(false);
  });
});
