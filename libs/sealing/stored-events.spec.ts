import { describe, expect, it } from 'vitest';
import { type AnyEvent, catalogue } from '#events/catalogue.js';
import { decodeEnvelope } from '#events/envelope.js';
import { type StoredVector, storedEvents } from '#events/test-support/stored-events.js';
import { contentKeyOf } from './content-key.js';
import { openBox, openEvent } from './open-event.js';
import { sealEvent } from './seal-event.js';
import type { Vault } from './vault.js';

const { keys, current, earlier, boxless } = storedEvents();
const hex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'));
const unused = () => Promise.reject(new Error('not asked for here'));

const bankKeys = async (bank: string) => ({
  bank,
  secret: hex(keys.bankSecret),
  identityKey: new Uint8Array(32),
  indexKey: new Uint8Array(32),
});
const subjectSecret = async (_: string, subject: string) => hex(keys.subjects[subject]!);

/** The keys that the committed events were sealed with. */
const vault: Vault = {
  ledgerKey: unused,
  serviceKey: unused,
  freshSecret: unused,
  bankKeys,
  knownBankKeys: bankKeys,
  subjectSecret,
  knownSubjectSecret: subjectSecret,
  secret: async (id) => (id in keys.secrets ? hex(keys.secrets[id]!) : undefined),
  destroy: unused,
  mayDestroy: unused,
  rotate: unused,
  epoch: unused,
  close: async () => undefined,
};

async function resealed({ bytes, content, nonce, contentKey }: StoredVector) {
  const { data, type, box, v: _v, hashAlgorithm: _h, schema: _s, ...context } = decodeEnvelope(bytes);
  return sealEvent({ type, data, content } as AnyEvent, context, { id: box!.k, key: hex(contentKey) }, hex(nonce));
}

describe('sealed events', () => {
  it.each([...current, ...earlier])('have a fixed content key: $name', async ({ bytes, contentKey }) => {
    const { box, bank, subjects } = decodeEnvelope(bytes);
    const derived = await contentKeyOf(vault, bank, box!.k, subjects);
    expect(Buffer.from(derived!).toString('hex')).toBe(contentKey);
  });

  it.each(current)('open to what was written: $name', async ({ bytes, content }) => {
    const { envelope, event } = await openEvent(vault, bytes);
    expect(event).toEqual({ type: envelope.type, data: envelope.data, content });
  });

  it.each(boxless)('are read without a key where they have no box: $name', async ({ bytes }) => {
    const { envelope, event } = await openEvent(vault, bytes);
    expect(event).toEqual({ type: envelope.type, data: envelope.data, content: undefined });
  });

  it.each(earlier)('open to what they mean today: $name', async ({ bytes, today }) => {
    expect((await openEvent(vault, bytes)).event).toEqual(today);
  });

  it.each(current)('are sealed to the same bytes again: $name', async (vector) => {
    const { bytes, hash } = await resealed(vector);
    expect(Buffer.from(bytes).toString('utf8')).toBe(vector.bytes.toString('utf8'));
    expect(Buffer.from(hash).toString('hex')).toBe(vector.hash);
  });

  it('were made by the schema versions of today', () => {
    const stored = [...current, ...boxless].map(({ bytes }) => decodeEnvelope(bytes));
    expect(Object.fromEntries(stored.map(({ type, schema }) => [type, schema]))).toEqual(
      Object.fromEntries(Object.values(catalogue).map(({ type, schema }) => [type, schema])),
    );
  });

  it('do not open anywhere else', async () => {
    const { box, subjects, ...envelope } = decodeEnvelope(current[0]!.bytes);
    const here = { ...envelope, eventId: envelope.id };
    await expect(openBox(vault, here, box!, subjects)).resolves.toEqual(current[0]!.content);
    for (const elsewhere of [
      { eventId: 'other' },
      { stream: 'other' },
      { type: 'MemoryRevised' },
      { schema: 1 },
      { ledger: 'other' },
    ])
      await expect(openBox(vault, { ...here, ...elsewhere }, box!, subjects)).rejects.toThrow();
    await expect(openBox(vault, here, box!, subjects!.slice(1))).rejects.toThrow();
  });
});
