import { expect, it } from 'vitest';
import { type EncodedEvent, encodeEvent } from '#events/envelope.js';
import { hashAlgorithm } from '#events/hash.js';
import { fakeVault } from '#query/test-support/fake-vault.js';
import { findKeyless } from './find-keyless.js';

const lost = 'lost.0';
const kept = 'kept.0';
const vault = { ...fakeVault(), secret: async (id: string) => (id === lost ? undefined : new Uint8Array(32).fill(1)) };

interface Given {
  readonly type: string;
  readonly stream: string;
  readonly revision?: number;
  /** The id of the secret that it is sealed with. */
  readonly key?: string;
  readonly subjects?: string[];
  readonly erasureId?: string;
}

async function* events(...all: Given[]): AsyncGenerator<EncodedEvent> {
  for (const [at, { type, stream, revision = 0, key, subjects, erasureId }] of all.entries())
    yield encodeEvent({
      v: 1,
      hashAlgorithm,
      id: `00000000-0000-7000-8000-00000000000${at}`,
      ledger: '0123456789abcdef',
      bank: 'b1',
      stream: `hl.0123456789abcdef.b1.${stream}`,
      revision,
      type,
      schema: 1,
      recordedAt: '2026-01-01T00:00:00.000Z',
      principal: 'os:tester',
      previous: null,
      data: erasureId === undefined ? {} : { erasureId },
      ...(subjects ? { subjects } : {}),
      ...(key === undefined ? {} : { box: { f: 1, a: 'A256GCM', k: key, n: 'AAAAAAAAAAAAAAAA', c: 'AAAA' } }),
    });
}

const memory = { type: 'MemoryRecorded', stream: 'memory-m1', key: lost };
const memories = async (found: ReturnType<typeof findKeyless>) =>
  [...(await found)].flatMap(([, each]) => [...each.memories]);

it('finds what has no key and is not said to be erased, and nothing else', async () => {
  const found = await findKeyless(
    vault,
    events(
      memory,
      { ...memory, stream: 'memory-m2', key: kept },
      { ...memory, type: 'MemoryEnriched', stream: 'understanding-m3' },
    ),
  );
  expect([...found]).toEqual([['b1', { memories: new Set(['m1', 'm3']), subjects: new Set(), isGone: false }]]);
});

it('takes what came before its erasure for erased, and not what was written after it', async () => {
  const erased = { type: 'MemoryErased', stream: 'memory-m1', revision: 1, erasureId: 'e1' };
  expect(await memories(findKeyless(vault, events(memory, erased)))).toEqual([]);
  const anew = { ...memory, type: 'MemoryRevised', revision: 2 };
  expect(await memories(findKeyless(vault, events(memory, erased, anew)))).toEqual(['m1']);
});

it.each([
  ['its person', { type: 'SubjectErased', stream: 'subject-s1' }],
  ['its bank', { type: 'BankErased', stream: 'bank-b1' }],
])('takes it for erased with %s', async (_what, event) => {
  expect(
    await memories(findKeyless(vault, events({ ...memory, subjects: ['s1'] }, { ...event, erasureId: 'e' }))),
  ).toEqual([]);
});

it('takes what a later state erased for erased, unless the order is one that is not applied again', async () => {
  const later = () => events({ type: 'MemoryErased', stream: 'memory-m1', revision: 7, erasureId: 'e1' });
  expect(await memories(findKeyless(vault, events(memory), later()))).toEqual([]);
  const ordered = { type: 'ErasureOrdered', stream: 'bank-b1', key: kept, erasureId: 'e1' };
  expect(await memories(findKeyless(vault, events(memory, ordered), later()))).toEqual(['m1']);
});

it('needs no key of what ends with what it is about', async () => {
  const records = ['RecallServed', 'AuditRead', 'ErasureOrdered'].map((type) => ({
    type,
    stream: 'recall-r1',
    key: lost,
  }));
  expect((await findKeyless(vault, events(...records))).size).toBe(0);
});

it('names the people whose secrets are gone as well, and a bank whose keys are', async () => {
  const about = { ...memory, subjects: ['s1', 's2'] };
  const withoutOne = {
    ...vault,
    knownSubjectSecret: async (_bank: string, subject: string) =>
      subject === 's1' ? undefined : new Uint8Array(32).fill(2),
  };
  const [[, found] = []] = await findKeyless(withoutOne, events(about));
  expect(found).toEqual({ memories: new Set(['m1']), subjects: new Set(['s1']), isGone: false });
  const withoutBank = { ...vault, knownBankKeys: async () => undefined };
  const [[, gone] = []] = await findKeyless(
    withoutBank,
    events({ type: 'BankConfigured', stream: 'bank-b1', key: kept }),
  );
  expect(gone).toMatchObject({ isGone: true });
});
