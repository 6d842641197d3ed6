import { describe, expect, it } from 'vitest';
import { catalogue, isEventType } from './catalogue.js';
import { decodeEnvelope } from './envelope.js';
import { storedEvents } from './test-support/stored-events.js';
import { readEvent, UnknownEventError } from './upcast.js';

const { current, earlier } = storedEvents();

describe('reading a stored event', () => {
  it.each(current)('gives what was stored: $name', ({ bytes, content }) => {
    const envelope = decodeEnvelope(bytes);
    expect(readEvent(envelope, content)).toEqual({ type: envelope.type, data: envelope.data, content });
  });

  it.each(earlier)('brings it up to today: $name', ({ bytes, content, today }) => {
    const envelope = decodeEnvelope(bytes);
    expect(readEvent(envelope, content)).toEqual(today);
  });

  it.each(earlier)('leaves the stored one as it was: $name', ({ bytes, content }) => {
    const envelope = decodeEnvelope(bytes);
    const before = structuredClone({ envelope, content });
    readEvent(envelope, content);
    expect({ envelope, content }).toEqual(before);
  });

  it('reads the plain part where the box cannot be opened', () => {
    const envelope = decodeEnvelope(earlier[0]!.bytes);
    expect(readEvent(envelope, undefined)).toEqual({ ...earlier[0]!.today, content: undefined });
  });

  it('stops at a type that it does not know, and names it', () => {
    const envelope = { ...decodeEnvelope(current[0]!.bytes), type: 'MemoryDreamt' };
    expect(() => readEvent(envelope, {})).toThrow(UnknownEventError);
    expect(() => readEvent(envelope, {})).toThrow(/is a MemoryDreamt, which this release does not know/);
  });

  it('takes no inherited name for a type', () => {
    expect(isEventType('constructor')).toBe(false);
    expect(isEventType('__proto__')).toBe(false);
  });

  it('stops at a newer schema version, and says which it knows', () => {
    const envelope = { ...decodeEnvelope(current[0]!.bytes), schema: 3 };
    expect(() => readEvent(envelope, {})).toThrow(UnknownEventError);
    expect(() => readEvent(envelope, {})).toThrow(/a MemoryRecorded of schema 3, this release knows up to 2/);
  });

  it.each([
    ['plain part', { ...decodeEnvelope(current[1]!.bytes), data: { memoryId: 'm' } }, current[1]!.content],
    ['content', decodeEnvelope(current[1]!.bytes), { content: 7 }],
    ['member of the content', decodeEnvelope(current[1]!.bytes), { ...current[1]!.content, more: '' }],
  ])('refuses a %s that no release wrote', (_, envelope, content) => {
    expect(() => readEvent(envelope, content)).toThrow();
  });
});

describe('the catalogue', () => {
  it.each(Object.entries(catalogue))('has an upcaster from every earlier schema of %s', (name, definition) => {
    expect(definition.type).toBe(name);
    const known = definition.upcasters.map(({ from }) => from);
    expect(known).toEqual(Array.from({ length: definition.schema - 1 }, (_, earlierBy) => earlierBy + 1));
  });

  it('moves a basis by what can change an answer only', () => {
    const still = Object.values(catalogue).filter(({ changesAnswers }) => !changesAnswers);
    expect(still.map(({ type }) => type)).toEqual([
      'RecallServed',
      'AuditRead',
      'SubjectAliased',
      'SubjectErased',
      'LedgerSealed',
      'KeysRotated',
    ]);
  });
});
