import type { MemoryKind } from '#events/version-fields.js';
import type { ViewsReader } from '../../reader.js';
import type { MemoryRow, SpanStatus } from '../../rows.js';
import { hexOf } from '../cells.js';
import type { BankView, Tables } from './tables.js';

interface MemoryRecord {
  memory_id: string;
  status: SpanStatus;
  version: number;
  kind: MemoryKind;
  key_hash: Uint8Array | null;
  revision: number;
  seq: number;
  expires_at: string | null;
}

type Counts = Awaited<ReturnType<ViewsReader['counts']>>;

export function memoryReader(
  tables: Tables,
): Pick<ViewsReader, 'memory' | 'memoryByKey' | 'isMemoryOfAnotherBank' | 'counts'> {
  const one = (bank: string, find: (view: BankView) => unknown) =>
    tables.read<MemoryRow | undefined>(
      bank,
      (view) => toMemory(bank, find(view) as MemoryRecord | undefined),
      undefined,
    );
  return {
    memory: (bank, memoryId) =>
      one(bank, (view) =>
        view.sql('SELECT * FROM {memories} WHERE bank = ? AND memory_id = ?').get(view.bank, memoryId),
      ),
    memoryByKey: (bank, keyHash) =>
      one(bank, (view) =>
        view
          // By its id: all columns at once are looked for in the table itself, from one end of the bank to the other.
          .sql(
            'SELECT * FROM {memories} WHERE bank = ? AND memory_id = (SELECT memory_id FROM {memories} WHERE bank = ? AND key_hash = ? LIMIT 1)',
          )
          .get(view.bank, view.bank, Buffer.from(keyHash, 'hex')),
      ),
    isMemoryOfAnotherBank: (bank, memoryId) =>
      tables.readAll(
        ({ sql }) =>
          sql(
            'SELECT 1 FROM hl_banks AS b CROSS JOIN {memories} AS m ON m.bank = b.number AND m.memory_id = ? WHERE b.id <> ? LIMIT 1',
          ).get(memoryId, bank) !== undefined,
      ),
    counts: (bank, at) => tables.read<Counts>(bank, (view) => counts(view, at), []),
  };
}

function counts({ bank, sql }: BankView, at: string): Counts {
  const stored = sql('SELECT kind, status, memories FROM {counts} WHERE bank = ? ORDER BY kind, status').all(bank) as {
    kind: string;
    status: SpanStatus;
    memories: number;
  }[];
  const expired = new Map(
    (
      sql(
        `SELECT kind, count(*) AS memories FROM {memories} WHERE bank = ? AND expires_at <= ? AND status = 'current' GROUP BY kind`,
      ).all(bank, at) as { kind: string; memories: number }[]
    ).map(({ kind, memories }) => [kind, memories]),
  );
  const rows: Counts = [];
  for (const { kind, status, memories } of stored) {
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
    memoryId: memory_id,
    status,
    version,
    kind,
    ...(key_hash ? { keyHash: hexOf(key_hash) } : {}),
    revision,
    seq,
    ...(expires_at === null ? {} : { expiresAt: expires_at }),
  };
}
