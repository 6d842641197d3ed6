import { createHash } from 'node:crypto';
import type { MemoryTurned } from '#events/catalogue.js';
import { keyedHash } from '#events/keyed-hash.js';
import type { RatingOutcome } from '#events/memory-rated.js';
import type { SealedBox } from '#events/sealed-box.js';
import { memoryStream } from '#events/stream-name.js';
import { subjectHash } from '#events/subject-hash.js';
import type { MemoryKind, VersionContent } from '#events/version-fields.js';
import { afterWrite, startsAnew, turns } from '#memory/fold-memory.js';
import type { ValidSpan } from '#memory/memory-state.js';
import { spanDifference } from '#memory/spans.js';
import { assign } from '#memory/valid-time.js';
import { sessionTurns } from '#projector/embedding/sessions-before.js';
import { hashDrawn } from '#projector/fold/hash-drawn.js';
import { contentKeyOf } from '#sealing/content-key.js';
import { sealBox } from '#sealing/seal-event.js';
import type { Vault } from '#sealing/vault.js';
import { vectorBoxes } from '#sealing/vector-box.js';
import type { Embedder, VectorSpace } from '#understanding/embeddings/embedder.js';
import { passageOf, passageSpace } from '#understanding/embeddings/passages.js';
import { packVector } from '#understanding/embeddings/scan/packed-vector.js';
import { foldName } from '#understanding/entities/fold-name.js';
import { fieldTerm } from '#understanding/terms/field-terms.js';
import { termHash } from '#understanding/terms/term-hash.js';
import type { FindingRow } from '#views/findings.js';
import { blockOf, packPosting } from '#views/postings.js';
import type { RatingRow } from '#views/ratings.js';
import type { PostingBlock, VersionFilter, ViewsReader } from '#views/reader.js';
import type { ChangeRow, DocRow, MemoryRow, MomentRow, SpanRow, SpanStatus, VersionRow } from '#views/rows.js';
import { noVectors, type StoredVector } from '#views/vectors.js';

export interface FakeWrite {
  readonly memoryId: string;
  readonly content: string;
  readonly key?: string;
  readonly kind?: MemoryKind;
  readonly tags?: readonly string[];
  readonly subjects?: readonly string[];
  readonly session?: string;
  readonly occurredAt?: number;
  readonly validFrom?: number;
  readonly validTo?: number;
  readonly expiresAt?: number;
}

interface FakeMemory {
  status: SpanStatus;
  version: number;
  spans: ValidSpan[];
  row: MemoryRow;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The views of one bank, kept as the projector would: for tests that need rows and no files. */
export interface FakeViews {
  write(write: FakeWrite, at: number): Promise<void>;
  forget(memoryId: string, reason: string, at: number): Promise<void>;
  restore(memoryId: string, reason: string, at: number): Promise<void>;
  archive(memoryId: string, reason: string, at: number): Promise<void>;
  unarchive(memoryId: string, reason: string, at: number): Promise<void>;
  quarantine(memoryId: string, reason: string, at: number): Promise<void>;
  release(memoryId: string, reason: string, at: number): Promise<void>;
  /** Its latest version. */
  rate(memoryId: string, outcome: RatingOutcome, note: string, at: number): Promise<void>;
  /** What a model found in its latest version. */
  enrich(memoryId: string, found: { names?: readonly string[]; times?: readonly number[] }, at: number): Promise<void>;
  /** Makes the vectors of all versions that have none, each of a session's with the text before it, as the projector does. */
  embed(embedder: Embedder): Promise<void>;
  reader(): ViewsReader;
}

export const ledgerId = 'l0';

export function fakeViews(vault: Vault, bank: string): FakeViews {
  const moments: MomentRow[] = [];
  const versions: VersionRow[] = [];
  const filters: { tags: string[]; happenedAt: string }[] = [];
  const changes: ChangeRow[] = [];
  const ratings: RatingRow[] = [];
  const findings: FindingRow[] = [];
  const docs: DocRow[] = [];
  const spans: Mutable<SpanRow>[] = [];
  const memories = new Map<string, FakeMemory>();
  const postings = new Map<string, { blocks: Map<number, Uint8Array> }>();
  const texts: string[] = [];
  const vectors: StoredVector[] = [];
  let vectorSpace: VectorSpace | undefined;
  let systemTime = 0;

  const moment = (at: number): number => {
    systemTime = Math.max(systemTime, at);
    const seq = moments.length + 1;
    moments.push({
      bank,
      seq,
      position: `p${String(seq).padStart(8, '0')}`,
      eventId: `e${seq}`,
      hash: createHash('sha256').update(`${bank} ${seq}`).digest('base64url'),
      systemTime: iso(systemTime),
    });
    return seq;
  };

  const origin = async (memoryId: string, type: string, schema: number, at: number, content: unknown) => {
    const seq = moments.length;
    const subjects: string[] = [];
    const names = (content as { subjects?: string[] }).subjects ?? [];
    const { identityKey } = await vault.bankKeys(bank);
    for (const name of names) subjects.push(subjectHash(identityKey, name));
    const stream = memoryStream(ledgerId, bank, memoryId);
    const { id } = await vault.freshSecret();
    const key = (await contentKeyOf(vault, bank, id, subjects))!;
    const binding = { ledger: ledgerId, bank, stream, eventId: `e${seq}`, type, schema };
    const box = JSON.stringify(sealBox(content, binding, { id, key }, new Uint8Array(12)));
    return {
      bank,
      memoryId,
      seq,
      stream,
      eventId: `e${seq}`,
      type,
      schema,
      recordedAt: iso(at),
      subjects,
      principal: 'ann',
      agent: 'spec',
      box,
    };
  };

  const open = (memoryId: string, span: ValidSpan, status: SpanStatus, seq: number): void => {
    const doc = versions.findIndex((row) => row.memoryId === memoryId && row.version === span.version);
    spans.push({
      memoryId,
      doc,
      version: span.version,
      status,
      validFrom: span.from,
      validTo: span.to,
      seqFrom: seq,
      seqTo: Infinity,
      systemFrom: iso(systemTime),
    });
  };
  const close = (memoryId: string, seq: number, ended: (span: SpanRow) => boolean): void => {
    for (const span of spans)
      if (span.memoryId === memoryId && span.seqTo === Infinity && span.seqFrom < seq && ended(span)) {
        span.seqTo = seq;
        span.systemTo = iso(systemTime);
      }
  };

  const index = async (doc: number, content: VersionContent, session: string | undefined) => {
    const { indexKey } = await vault.bankKeys(bank);
    const { terms, frequencies, ...drawn } = hashDrawn(indexKey, content, session !== undefined);
    for (const [at, hash] of terms.entries()) {
      const kept = postings.get(hash) ?? { blocks: new Map<number, Uint8Array>() };
      const block = blockOf(doc);
      const before = kept.blocks.get(block) ?? new Uint8Array(0);
      kept.blocks.set(block, Buffer.concat([before, packPosting(doc, frequencies[at]!)]));
      postings.set(hash, kept);
    }
    return drawn;
  };

  const turn =
    (type: MemoryTurned['type']) =>
    async (memoryId: string, reason: string, at: number): Promise<void> => {
      const memory = memories.get(memoryId);
      const { status } = turns[type];
      if (!memory || memory.status === status) return;
      const seq = moment(at);
      changes.push(await origin(memoryId, type, 1, at, { reason }));
      close(memoryId, seq, () => true);
      for (const span of memory.spans) open(memoryId, span, status, seq);
      memory.status = status;
      memory.row = { ...memory.row, status, seq };
    };

  const matches = (row: VersionRow, filter: VersionFilter): boolean => {
    const { tags, happenedAt } = filters[row.doc]!;
    return (
      (!filter.kinds || filter.kinds.includes(row.kind)) &&
      (filter.sessionId === undefined || row.sessionId === filter.sessionId) &&
      (filter.taskId === undefined || row.taskId === filter.taskId) &&
      (filter.tagHashes ?? []).every((hash) => tags.includes(hash)) &&
      (filter.subjectHash === undefined || row.subjects.includes(filter.subjectHash)) &&
      (filter.from === undefined || happenedAt >= filter.from) &&
      (filter.to === undefined || happenedAt < filter.to)
    );
  };

  const lastMoment = (isIn: (row: MomentRow) => boolean): MomentRow | undefined => moments.filter(isIn).at(-1);

  const reader: ViewsReader = {
    headMoment: async () => moments.at(-1),
    momentAtPosition: async (_bank, position) => lastMoment((row) => row.position <= position),
    momentAtTime: async (_bank, time) => lastMoment((row) => row.systemTime <= time),
    momentWithHash: async (_bank, hash) => lastMoment((row) => row.hash === hash),
    momentsBySeq: async (_bank, seqs) => moments.filter((row) => seqs.includes(row.seq)),
    turnsBetween: async (_bank, after, upTo, limit) =>
      changes.filter(({ seq }) => seq > after && seq <= upTo).slice(0, limit),
    docsAround: async (_bank, asked, count) =>
      asked.map(({ memoryId, doc }) => {
        const docs = versions.filter((row) => row.memoryId === memoryId).map((row) => row.doc);
        return {
          before: docs
            .filter((each) => each < doc)
            .reverse()
            .slice(0, count),
          after: docs.filter((each) => each > doc).slice(0, count),
        };
      }),
    memory: async (_bank, memoryId) => memories.get(memoryId)?.row,
    memoryByKey: async (_bank, keyHash) => [...memories.values()].find(({ row }) => row.keyHash === keyHash)?.row,
    isMemoryOfAnotherBank: async (_bank, memoryId) => memoryId.startsWith('foreign'),
    changesOf: async (_bank, memoryId) =>
      [...versions, ...changes].filter((row) => row.memoryId === memoryId).sort((one, other) => one.seq - other.seq),
    spansOf: async (_bank, memoryId) => spans.filter((span) => span.memoryId === memoryId).map((span) => ({ ...span })),
    versionsByDoc: async (_bank, asked) => asked.map((doc) => versions[doc]!),
    docsWhere: async (_bank, filter) => versions.filter((row) => matches(row, filter)).map(({ doc }) => doc),
    docsFrom: async (_bank, doc) => docs.slice(doc),
    spansChangedAfter: async (_bank, seq) =>
      spans.filter((span) => span.seqFrom > seq || (span.seqTo > seq && span.seqTo !== Infinity) || seq === 0),
    postings: async (_bank, hashes, fromBlock = 0) => {
      const found = new Map<string, PostingBlock[]>();
      for (const hash of hashes) {
        const blocks = [...(postings.get(hash)?.blocks ?? [])].map(([block, bytes]) => ({ block, bytes }));
        if (blocks.length)
          found.set(
            hash,
            blocks.filter(({ block }) => block >= fromBlock),
          );
      }
      return found;
    },
    banks: async () => [],
    bankEvents: async () => [],
    derivedFrom: async () => [],
    erasedValues: async () => [],
    unfinishedErasures: async () => [],
    findingsAfter: async (_bank, seq) => findings.filter((row) => row.seq > seq),
    ratingsAfter: async (_bank, seq) => ratings.filter((row) => row.seq > seq),
    recallsOf: async () => [],
    recallsServing: async () => [],
    recallsAbout: async () => [],
    vectorState: async (_bank, { model }) =>
      model === vectorSpace?.model ? { mark: vectors.length, changes: 0, blanked: 0 } : noVectors,
    vectorSpaces: async () => (vectorSpace ? [vectorSpace] : []),
    vectorsFrom: async (_bank, _space, doc, limit) => vectors.slice(doc, doc + limit),
    vectorsChangedAfter: async () => [],
    counts: async () => [],
  };

  return {
    async write(write, at) {
      const { indexKey } = await vault.bankKeys(bank);
      const seq = moment(at);
      const before = memories.get(write.memoryId);
      const version = (before?.version ?? 0) + 1;
      const validFrom = write.validFrom ?? write.occurredAt ?? at;
      const type = before ? 'MemoryRevised' : 'MemoryRecorded';
      const doc = versions.length;
      const content = {
        content: JSON.stringify(write.content),
        ...(write.key === undefined ? {} : { key: write.key }),
        ...(write.tags ? { tags: [...write.tags] } : {}),
        ...(write.subjects ? { subjects: [...write.subjects] } : {}),
      };
      const common = await origin(write.memoryId, type, before ? 1 : 2, at, content);
      versions.push({
        ...common,
        doc,
        version,
        kind: write.kind ?? 'semantic',
        origin: 'agent',
        occurredAt: write.occurredAt === undefined ? undefined : iso(write.occurredAt),
        validFrom: iso(validFrom),
        validTo: write.validTo === undefined ? undefined : iso(write.validTo),
        expiresAt: write.expiresAt === undefined ? undefined : iso(write.expiresAt),
        sessionId: write.session,
        derivedFrom: [],
      });
      texts.push(write.content);
      filters.push({
        tags: (write.tags ?? []).map((tag) => keyedHash(indexKey, 'tag', tag)),
        happenedAt: iso(write.occurredAt ?? at),
      });
      docs.push({
        doc,
        memoryId: write.memoryId,
        version,
        expiresAt: write.expiresAt ?? Infinity,
        kind: write.kind ?? 'semantic',
        origin: 'agent',
        at: write.occurredAt ?? at,
        sessionId: write.session,
        ...(await index(doc, content, write.session)),
      });
      const isAside = before !== undefined && before.status !== 'current';
      const had = before && !startsAnew(before.status) ? before.spans : [];
      const written = { version, from: validFrom, to: write.validTo ?? Infinity };
      const now = assign(had, written);
      const status = afterWrite(before?.status ?? 'absent');
      // What is held back is not cut before a reviewer has looked.
      if (status === 'quarantined') open(write.memoryId, written, status, seq);
      else if (isAside) close(write.memoryId, seq, () => true);
      const { closed, opened } = spanDifference(isAside ? [] : had, status === 'quarantined' ? [] : now);
      close(write.memoryId, seq, (span) =>
        closed.some(
          (each) => each.version === span.version && each.from === span.validFrom && each.to === span.validTo,
        ),
      );
      for (const span of opened) open(write.memoryId, span, 'current', seq);
      const keyHash = write.key === undefined ? before?.row.keyHash : keyedHash(indexKey, 'slot', write.key);
      const row: MemoryRow = {
        bank,
        memoryId: write.memoryId,
        status,
        version,
        kind: write.kind ?? 'semantic',
        keyHash,
        revision: version - 1,
        seq,
      };
      memories.set(write.memoryId, { status, version, spans: now, row });
    },
    forget: turn('MemoryForgotten'),
    restore: turn('MemoryRestored'),
    archive: turn('MemoryArchived'),
    unarchive: turn('MemoryUnarchived'),
    quarantine: turn('MemoryQuarantined'),
    release: turn('MemoryReleased'),
    async rate(memoryId, outcome, note, at) {
      const { version } = memories.get(memoryId)!;
      const seq = moment(at);
      changes.push(await origin(memoryId, 'MemoryRated', 1, at, { note }));
      ratings.push({ seq, memoryId, version, principal: 'ann', outcome, at: iso(at) });
    },
    async enrich(memoryId, { names = [], times = [] }, at) {
      const { indexKey } = await vault.bankKeys(bank);
      findings.push({
        seq: moment(at),
        memoryId,
        version: memories.get(memoryId)!.version,
        rules: 1,
        model: '0f1e2d3c4b5a6978',
        tokensRead: 1,
        tokensWritten: 1,
        at: iso(at),
        names: names.map((name) => termHash(indexKey, fieldTerm('entity', foldName(name)))),
        times,
      });
    },
    async embed(embedder) {
      vectorSpace = passageSpace(await embedder.space());
      for (let doc = vectors.length; doc < versions.length; doc++) {
        const { sessionId } = versions[doc]!;
        const session = sessionTurns();
        let before = -1;
        for (const row of versions.slice(0, doc + 1))
          if (sessionId !== undefined && row.sessionId === sessionId) before = session.say(row) ?? -1;
        const passage = passageOf(texts[doc]!, texts[before]);
        const [vector] = await embedder.embed([passage], 'passage');
        const said = [versions[doc]!, ...(before < 0 ? [] : [versions[before]!])];
        const keys = {
          secrets: said.map(({ box }) => (JSON.parse(box) as SealedBox).k),
          subjects: said.flatMap(({ subjects }) => subjects),
        };
        const nonce = new Uint8Array(12).fill(doc);
        const sealed = await vectorBoxes(vault, bank, vectorSpace).seal(doc, keys, packVector(vector!), nonce);
        vectors.push({ doc, sealed: sealed!, changed: 0 });
      }
    },
    reader: () => reader,
  };
}

function iso(millis: number): string {
  return new Date(millis).toISOString();
}
