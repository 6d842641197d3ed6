import type { MemoryTurned } from '#events/catalogue.js';
import type { MemoryKind } from '#events/version-fields.js';
import { afterWrite, turns } from '#memory/fold-memory.js';
import type { ViewsReader } from '../../reader.js';
import type { MemoryRow, SpanStatus } from '../../rows.js';
import { decodeText } from '../cells.js';
import type { Banks, BankView } from './bank-view.js';
import { safeMoment } from './moments.js';

interface MemoryRecord {
  memory_id: string;
  status: SpanStatus;
  version: number;
  kind: MemoryKind;
  key_hash: Buffer | null;
  revision: number;
  seq: number;
  expires_at: string | null;
  /** The last moment that every projection has passed. */
  safe: number;
}

type Counts = Awaited<ReturnType<ViewsReader['counts']>>;

export function memoryReader(
  banks: Banks,
): Pick<ViewsReader, 'memory' | 'memoryByKey' | 'isMemoryOfAnotherBank' | 'counts'> {
  const one = (bank: string, where: string, value: string | Buffer) =>
    banks.read<MemoryRow | undefined>(
      bank,
      async (view) => {
        const [record] = await view.rows<MemoryRecord>(
          `SELECT *, ${safeMoment} AS safe FROM {memories} WHERE bank = $1 AND ${where} LIMIT 1`,
          value,
        );
        if (!record) return undefined;
        return toMemory(bank, record.seq <= record.safe ? record : await asOf(view, record));
      },
      undefined,
    );
  return {
    memory: (bank, memoryId) => one(bank, 'memory_id = $2', memoryId),
    memoryByKey: (bank, keyHash) => one(bank, 'key_hash = $2', Buffer.from(keyHash, 'hex')),
    async isMemoryOfAnotherBank(bank, memoryId) {
      const [row] = await banks.ask<{ answer: boolean }>(
        'SELECT hindsight.hl_is_memory_of_another_bank($1, $2) AS answer',
        bank,
        memoryId,
      );
      return row!.answer;
    },
    counts: (bank, at) => banks.read<Counts>(bank, (view) => counts(view, at), []),
  };
}

/** What `memories` said at an earlier moment, from the events of the memory up to it: undefined when it was not there yet. */
async function asOf(view: BankView, record: MemoryRecord): Promise<MemoryRecord | undefined> {
  const [version] = await view.rows<{
    seq: number;
    version: number;
    kind: MemoryKind;
    expires_at: string | null;
    versions: number;
  }>(
    `SELECT seq, version, kind, expires_at, count(*) OVER () AS versions FROM {versions}
      WHERE bank = $1 AND memory_id = $2 AND seq <= $3 ORDER BY seq DESC LIMIT 1`,
    decodeText(record.memory_id),
    record.safe,
  );
  if (!version) return undefined;
  const changes = await view.rows<{ seq: number; type: string }>(
    `SELECT seq, type FROM {changes} WHERE bank = $1 AND memory_id = $2 AND seq <= $3 ORDER BY seq DESC`,
    decodeText(record.memory_id),
    record.safe,
  );
  const turn = changes.find(({ type }) => type !== 'MemoryRated');
  const { versions, ...last } = version;
  return {
    ...record,
    ...last,
    seq: Math.max(version.seq, changes[0]?.seq ?? 0),
    status: turn ? statusSince(turn, version.seq) : 'current',
    // Every event of its stream is a version or a change.
    revision: versions + changes.length - 1,
  };
}

/** @param written moment of the latest version: before or after the turn */
function statusSince(turn: { readonly seq: number; readonly type: string }, written: number): SpanStatus {
  const turned = statusAfter(turn.type);
  return turn.seq > written ? turned : afterWrite(turned);
}

/** What an event that brings no version makes of a memory. */
function statusAfter(type: string): SpanStatus {
  return type === 'MemoryErased' ? 'erased' : turns[type as MemoryTurned['type']].status;
}

const stored = `
  WITH even AS MATERIALIZED (
    SELECT count(DISTINCT position) = 1 AS is_so FROM {checkpoints} AS checkpoint WHERE projection IN ('memories', 'stats'))
  SELECT kind, status, memories FROM {counts} WHERE bank = $1 AND (SELECT is_so FROM even)
  UNION ALL
  SELECT kind, status, count(*) FROM {memories} WHERE bank = $1 AND NOT (SELECT is_so FROM even) GROUP BY kind, status
  ORDER BY kind, status`;

/** As `memories` has them. What `stats` counted serves where it has come exactly as far; else they are counted here. */
async function counts(view: BankView, at: string): Promise<Counts> {
  const expired = new Map(
    (
      await view.rows<{ kind: string; memories: number }>(
        `SELECT kind, count(*) AS memories FROM {memories} WHERE bank = $1 AND expires_at <= $2 AND status = 'current' GROUP BY kind`,
        at,
      )
    ).map(({ kind, memories }) => [kind, memories]),
  );
  const rows: Counts = [];
  for (const { kind, status, memories } of await view.rows<{ kind: string; status: SpanStatus; memories: number }>(
    stored,
  )) {
    const gone = status === 'current' ? (expired.get(kind) ?? 0) : 0;
    if (memories > gone) rows.push({ kind, status, count: memories - gone });
    if (gone) rows.push({ kind, status: 'expired', count: gone });
  }
  return rows;
}

function toMemory(bank: string, record: MemoryRecord | undefined): MemoryRow | undefined {
  if (!record) return undefined;
  const { memory_id, key_hash, expires_at, status, version, kind, revision, seq } = record;
  return {
    bank,
    memoryId: decodeText(memory_id),
    status,
    version,
    kind,
    ...(key_hash ? { keyHash: key_hash.toString('hex') } : {}),
    revision,
    seq,
    ...(expires_at === null ? {} : { expiresAt: expires_at }),
  };
}
