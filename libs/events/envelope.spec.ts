import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { decodeEnvelope, type Envelope, encodeEvent } from './envelope.js';
import { eventHash } from './hash.js';
import { boxAssociatedData } from './sealed-box.js';
import { storedEvents } from './test-support/stored-events.js';

const { current, earlier, boxless } = storedEvents();

describe('stored events', () => {
  it.each([...current, ...earlier, ...boxless])('keep their bytes and hash: $name', ({ bytes, hash }) => {
    const encoded = encodeEvent(decodeEnvelope(bytes));
    expect(Buffer.from(encoded.bytes).toString('utf8')).toBe(bytes.toString('utf8'));
    expect(Buffer.from(encoded.hash).toString('hex')).toBe(hash);
  });

  it.each(current)('bind their box to where they stand: $name', ({ bytes, associatedData }) => {
    const envelope = decodeEnvelope(bytes);
    expect(Buffer.from(boxAssociatedData({ ...envelope, eventId: envelope.id })).toString('hex')).toBe(associatedData);
  });

  it('are chained by the hash of the one before', () => {
    const [first, second, third] = current;
    expect(decodeEnvelope(second!.bytes).previous).toBe(Buffer.from(first!.hash, 'hex').toString('base64url'));
    expect(decodeEnvelope(third!.bytes).previous).toBe(Buffer.from(second!.hash, 'hex').toString('base64url'));
  });

  it('say again beside their bytes what a store indexes', () => {
    const envelope = decodeEnvelope(current[1]!.bytes);
    expect(encodeEvent(envelope)).toMatchObject({
      id: envelope.id,
      stream: envelope.stream,
      revision: 1,
      type: 'MemoryRevised',
    });
  });
});

describe('an event hash', () => {
  it('is not that of the bare bytes, nor of other bytes', () => {
    const bytes = Buffer.from('{}');
    expect(Buffer.from(eventHash(bytes))).not.toEqual(createHash('sha256').update(bytes).digest());
    expect(eventHash(bytes)).not.toEqual(eventHash(Buffer.from('{ }')));
    expect(eventHash(bytes)).toHaveLength(32);
  });
});

describe('an envelope', () => {
  const good = JSON.parse(current[0]!.bytes.toString('utf8')) as Envelope;
  const decode = (value: unknown) => () => decodeEnvelope(Buffer.from(JSON.stringify(value)));

  it.each([
    ['another format', { ...good, v: 2 }],
    ['another hash algorithm', { ...good, hashAlgorithm: 'md5' }],
    ['a member that no release wrote', { ...good, extra: 1 }],
    ['a time in another spelling', { ...good, recordedAt: '2026-11-02T17:30:00+08:00' }],
    ['a negative revision', { ...good, revision: -1 }],
    ['no previous hash at all', { ...good, previous: undefined }],
    ['a box of another format', { ...good, box: { ...good.box, f: 2 } }],
    ['trust beyond 1', { ...good, trust: 1.5 }],
  ])('refuses %s', (_, value) => {
    expect(decode(value)).toThrow();
  });

  it('refuses bytes that are no JSON', () => {
    expect(() => decodeEnvelope(Buffer.from('{"v":1'))).toThrow(SyntaxError);
  });
});

describe('associated data', () => {
  const binding = { ledger: 'l', bank: 'b', stream: 's', eventId: 'e', type: 'T', schema: 1 };

  it.each(['ledger', 'bank', 'stream', 'eventId', 'type'] as const)('differs by %s', (part) => {
    expect(boxAssociatedData({ ...binding, [part]: 'x' })).not.toEqual(boxAssociatedData(binding));
  });

  it('differs by schema version', () => {
    expect(boxAssociatedData({ ...binding, schema: 2 })).not.toEqual(boxAssociatedData(binding));
  });
});
