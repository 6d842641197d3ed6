import { createHash } from 'node:crypto';
import type { AnyEvent, MemoryTurned } from '#events/catalogue.js';
import type { EncodedEvent } from '#events/envelope.js';
import { keyedHash } from '#events/keyed-hash.js';
import type { MemoryEnriched } from '#events/memory-enriched.js';
import type { RatingOutcome } from '#events/memory-rated.js';
import type { RecallServed } from '#events/recall-served.js';
import { memoryStream, streamName } from '#events/stream-name.js';
import type { VersionContent, VersionData } from '#events/version-fields.js';
import type { Appended, Ledger } from '#ledger/ledger.js';
import { salted } from '#sealing/content-key.js';
import { bareEvent, type EventContext, sealEvent } from '#sealing/seal-event.js';
import type { Vault } from '#sealing/vault.js';

export interface VersionGiven extends Partial<Omit<VersionData, 'memoryId' | 'version'>> {
  readonly content?: string;
  readonly key?: string;
  readonly tags?: readonly string[];
  readonly subjects?: readonly string[];
  readonly metadata?: Record<string, unknown>;
  readonly session?: string;
  readonly task?: string;
}

export interface EnrichGiven extends Partial<MemoryEnriched['data']> {
  readonly names?: readonly string[];
  readonly dates?: MemoryEnriched['content']['dates'];
}

export interface RecallGiven extends Partial<RecallServed['data']> {
  readonly session?: string;
  /** Names of people whom it filtered by. */
  readonly subjects?: readonly string[];
}

/** Makes events as ingest would, without its decisions; repeats exactly for equal calls but for the vault's secrets. */
export interface History {
  readonly bank: string;
  createBank(name: string): Promise<Appended>;
  /** The memory's next version. */
  write(memoryId: string, given: VersionGiven, recordedAt?: string): Promise<Appended>;
  forget(memoryId: string, recordedAt?: string): Promise<Appended>;
  restore(memoryId: string, recordedAt?: string): Promise<Appended>;
  /** Any event that turns a memory and brings no version. */
  turn(type: MemoryTurned['type'], memoryId: string, recordedAt?: string): Promise<Appended>;
  /** Its latest version by default, with the note `it did`. */
  rate(
    memoryId: string,
    outcome: RatingOutcome,
    more?: { version?: number; recallId?: string; principal?: string },
    recordedAt?: string,
  ): Promise<Appended>;
  /** What a model found in its latest version, sealed with the memory's secret; `knew` is the memory's last revision by default. */
  enrich(memoryId: string, found: EnrichGiven, recordedAt?: string): Promise<Appended>;
  /** `MemoryErased`, without the order before it and the end of the keys after it (`secretsOf`). */
  erase(memoryId: string, recordedAt?: string): Promise<Appended>;
  /** `BankErased`; the same. */
  eraseBank(recordedAt?: string): Promise<Appended>;
  /** Parts of an order, or its completion. */
  order(erasureId: string, part: number, parts: number, memories?: readonly string[]): Promise<Appended>;
  complete(erasureId: string): Promise<Appended>;
  /** Ids of the secrets that a memory's contents need. */
  secretsOf(memoryId: string): readonly string[];
  recallServed(recordedAt?: string, given?: RecallGiven): Promise<Appended>;
  /** A version that is sealed but not appended. */
  sealed(memoryId: string, given: VersionGiven, recordedAt?: string): Promise<EncodedEvent>;
  append(event: EncodedEvent): Promise<Appended>;
}

interface StreamEnd {
  revision: number;
  version: number;
  previous: string | null;
}

/** One minute per event from here on, where no time is given. */
const firstMoment = Date.parse('2026-03-01T09:00:00.000Z');

export function history(ledger: Ledger, vault: Vault, bank: string, prefix = 'e'): History {
  const ends = new Map<string, StreamEnd>();
  let made = 0;

  const secrets = new Map<string, string[]>();

  async function seal(
    stream: string,
    event: (end: StreamEnd) => AnyEvent,
    recordedAt: string | undefined,
    rest: Partial<EventContext> = {},
  ): Promise<EncodedEvent> {
    const end = ends.get(stream) ?? { revision: -1, version: 0, previous: null };
    const number = ++made;
    const typed = event(end);
    const context = {
      id: `${prefix}${number}`,
      ledger: ledger.id,
      bank,
      stream,
      revision: end.revision + 1,
      previous: end.previous,
      recordedAt: recordedAt ?? new Date(firstMoment + number * 60_000).toISOString(),
      principal: 'os:tester',
      trust: 0.8,
      ...rest,
    };
    let encoded: EncodedEvent;
    if (Object.keys(typed.content).length === 0) encoded = bareEvent(typed, context);
    else {
      const secret = await vault.freshSecret();
      secrets.set(stream, [...(secrets.get(stream) ?? []), secret.id]);
      const key = { id: secret.id, key: await salted(vault, bank, secret.secret, rest.subjects) };
      encoded = sealEvent(typed, context, key, Buffer.alloc(12, number % 251));
    }
    ends.set(stream, {
      revision: encoded.revision,
      version: typed.type === 'MemoryRecorded' || typed.type === 'MemoryRevised' ? typed.data.version : end.version,
      previous: Buffer.from(encoded.hash).toString('base64url'),
    });
    return encoded;
  }

  const append = (event: EncodedEvent): Promise<Appended> =>
    ledger.append(event.stream, [event], event.revision === 0 ? 'no_stream' : event.revision - 1);

  async function sealed(memoryId: string, given: VersionGiven, recordedAt?: string): Promise<EncodedEvent> {
    const { content = 'text', key, tags, subjects, metadata, session, task, ...data } = given;
    const { identityKey } = await vault.bankKeys(bank);
    const wrote: VersionContent = {
      content: JSON.stringify(content),
      ...(key === undefined ? {} : { key }),
      ...(tags ? { tags: [...tags] } : {}),
      ...(subjects ? { subjects: [...subjects] } : {}),
      ...(metadata ? { metadata: JSON.stringify(metadata) } : {}),
    };
    const hashes = subjects?.map((name) => keyedHash(identityKey, 'subject', name)).sort();
    return seal(
      memoryStream(ledger.id, bank, memoryId),
      (end) => ({
        type: end.version === 0 ? 'MemoryRecorded' : 'MemoryRevised',
        data: { memoryId, version: end.version + 1, kind: 'semantic', origin: 'agent', ...data },
        content: wrote,
      }),
      recordedAt,
      { session, task, ...(hashes ? { subjects: hashes } : {}) },
    );
  }

  const turn = async (type: MemoryTurned['type'], memoryId: string, recordedAt?: string) =>
    append(
      await seal(
        memoryStream(ledger.id, bank, memoryId),
        () => ({ type, data: { memoryId }, content: { reason: 'because' } }),
        recordedAt,
      ),
    );

  const bankStream = streamName({ ledger: ledger.id, bank, category: 'bank', id: bank });
  const appendOne = async (stream: string, event: AnyEvent, recordedAt?: string) =>
    append(await seal(stream, () => event, recordedAt));

  return {
    bank,
    erase: async (memoryId, recordedAt) => {
      const data = { memoryId, erasureId: 'x', fingerprints: [createHash('md5').update(memoryId).digest('hex')] };
      return appendOne(
        memoryStream(ledger.id, bank, memoryId),
        { type: 'MemoryErased', data, content: {} },
        recordedAt,
      );
    },
    eraseBank: (recordedAt) =>
      appendOne(bankStream, { type: 'BankErased', data: { erasureId: 'x' }, content: {} }, recordedAt),
    order: (erasureId, part, parts, memories = []) =>
      appendOne(bankStream, {
        type: 'ErasureOrdered',
        data: { erasureId, part, parts, memories: [...memories], subjects: [], fingerprints: true },
        content: { reason: 'asked for' },
      }),
    complete: (erasureId) =>
      appendOne(bankStream, {
        type: 'ErasureCompleted',
        data: {
          erasureId,
          memories: 1,
          subjects: 0,
          recalls: 0,
          epoch: 2,
          completedAt: new Date(firstMoment).toISOString(),
        },
        content: {},
      }),
    secretsOf: (memoryId) => secrets.get(memoryStream(ledger.id, bank, memoryId)) ?? [],
    createBank: async (name) =>
      append(
        await seal(
          streamName({ ledger: ledger.id, bank, category: 'bank', id: bank }),
          () => ({ type: 'BankCreated', data: {}, content: { name } }),
          undefined,
        ),
      ),
    write: async (memoryId, given, recordedAt) => append(await sealed(memoryId, given, recordedAt)),
    rate: async (memoryId, outcome, { version, recallId, principal } = {}, recordedAt) =>
      append(
        await seal(
          memoryStream(ledger.id, bank, memoryId),
          (end) => ({
            type: 'MemoryRated',
            data: { memoryId, version: version ?? end.version, outcome, recallId },
            content: { note: 'it did' },
          }),
          recordedAt,
          principal === undefined ? {} : { principal },
        ),
      ),
    async enrich(memoryId, { names = [], dates = [], ...data }, recordedAt) {
      const memory = ends.get(memoryStream(ledger.id, bank, memoryId));
      return append(
        await seal(
          streamName({ ledger: ledger.id, bank, category: 'understanding', id: memoryId }),
          () => ({
            type: 'MemoryEnriched',
            data: {
              memoryId,
              version: memory?.version ?? 1,
              rules: 1,
              model: '0f1e2d3c4b5a6978',
              tokens: { read: 10, written: 1 },
              knew: memory?.revision ?? 0,
              ...data,
            },
            content: {
              entities: names.map((name) => ({ name, kind: 'name', words: [0, name.length] })),
              relations: [],
              dates: [...dates],
            },
          }),
          recordedAt,
        ),
      );
    },
    forget: (memoryId, recordedAt) => turn('MemoryForgotten', memoryId, recordedAt),
    restore: (memoryId, recordedAt) => turn('MemoryRestored', memoryId, recordedAt),
    turn,
    recallServed: async (recordedAt, { session, subjects, ...data } = {}) => {
      const { identityKey } = await vault.bankKeys(bank);
      const hashes = subjects?.map((name) => keyedHash(identityKey, 'subject', name)).sort();
      return append(
        await seal(
          streamName({ ledger: ledger.id, bank, category: 'recall', id: `${prefix}process` }),
          () => ({
            type: 'RecallServed',
            data: { recallId: `r${made}`, at: new Date(firstMoment).toISOString(), items: [], tookMs: 1, ...data },
            content: { query: 'what' },
          }),
          recordedAt,
          { session, ...(hashes ? { subjects: hashes } : {}) },
        ),
      );
    },
    sealed,
    append,
  };
}
