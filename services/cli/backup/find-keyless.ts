import { decodeEnvelope, type EncodedEvent } from '#events/envelope.js';
import { memoryStream, parseStreamName, streamName } from '#events/stream-name.js';
import { contentKeyOf } from '#sealing/content-key.js';
import type { Vault } from '#sealing/vault.js';

/** What of one bank has no key, though nothing says that it was erased. */
export interface KeylessBank {
  readonly memories: ReadonlySet<string>;
  /** Keyed hashes of the people whose secrets are gone as well: they were erased. */
  readonly subjects: ReadonlySet<string>;
  /** The bank's own keys are gone: it was deleted. */
  readonly isGone: boolean;
}

/** By bank; empty where every content has its key, or is said to be erased. */
export type Keyless = ReadonlyMap<string, KeylessBank>;

interface Unopened {
  readonly bank: string;
  readonly stream: string;
  readonly revision: number;
  readonly subjects: readonly string[];
}

/** Their keys end with what they are about, or by themselves: nothing is wrong where they have none. */
const mayBeKeyless = new Set(['RecallServed', 'AuditRead', 'ErasureOrdered']);

/**
 * Looks for contents whose key is not there, and of which neither the backup nor the later state says that they were erased: restored with
 * these keys they would be neither readable nor erased. The same rules as of a ledger that is in use (`erasedLater`).
 * @param later of a later state; what it erased is erased again, unless the backup knows the order
 */
export async function findKeyless(
  vault: Vault,
  backup: AsyncIterable<EncodedEvent>,
  later?: AsyncIterable<EncodedEvent>,
): Promise<Keyless> {
  const said = { memories: new Map<string, number>(), people: new Set<string>(), banks: new Set<string>() };
  const known = new Set<string>();
  const unopened: Unopened[] = [];
  for await (const { type, stream, revision, bytes } of backup) {
    const { bank, box, subjects = [], data } = decodeEnvelope(bytes);
    if (type === 'MemoryErased') said.memories.set(stream, revision);
    else if (type === 'SubjectErased') said.people.add(stream);
    else if (type === 'BankErased') said.banks.add(bank);
    if (typeof data.erasureId === 'string') known.add(data.erasureId);
    if (!box || mayBeKeyless.has(type) || (await contentKeyOf(vault, bank, box.k, subjects))) continue;
    unopened.push({ bank, stream, revision, subjects });
  }
  if (unopened.length > 0 && later)
    for await (const { type, stream, bytes } of later) {
      if (type !== 'MemoryErased' && type !== 'SubjectErased' && type !== 'BankErased') continue;
      const { bank, data } = decodeEnvelope(bytes);
      if (known.has(String(data.erasureId))) continue;
      // It comes behind all that the backup has.
      if (type === 'MemoryErased') said.memories.set(stream, Number.POSITIVE_INFINITY);
      else if (type === 'SubjectErased') said.people.add(stream);
      else said.banks.add(bank);
    }
  const found = new Map<string, { memories: Set<string>; subjects: Set<string>; isGone: boolean }>();
  for (const each of unopened) {
    const { bank, subjects } = each;
    const { ledger, category, id } = parseStreamName(each.stream);
    const isSaid = (subject: string) => said.people.has(streamName({ ledger, bank, category: 'subject', id: subject }));
    if (said.banks.has(bank) || subjects.some(isSaid)) continue;
    // What was found out about a memory is sealed with the memory's secret; no erasure writes into its stream.
    const erasedAt = said.memories.get(memoryStream(ledger, bank, id)) ?? -1;
    const isOfMemory = category === 'memory' || category === 'understanding';
    if (isOfMemory && erasedAt > (category === 'memory' ? each.revision : -1)) continue;
    const isGone = !(await vault.knownBankKeys(bank));
    if (!isOfMemory && category !== 'subject' && !isGone) continue;
    const ofBank = found.get(bank) ?? {
      memories: new Set(),
      subjects: new Set(),
      isGone,
    };
    found.set(bank, ofBank);
    if (isOfMemory) ofBank.memories.add(id);
    // Of a person who is written about again there is a new secret; that two names meant the former one is gone all the same.
    if (category === 'subject') ofBank.subjects.add(id);
    for (const subject of subjects) if (!(await vault.knownSubjectSecret(bank, subject))) ofBank.subjects.add(subject);
  }
  return found;
}
