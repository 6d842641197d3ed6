import type { ViewsReader } from '../../reader.js';
import type { ChangeRow } from '../../rows.js';
import { type ChangeRecord, toChange } from '../../version-records.js';
import { hexOf } from '../cells.js';
import type { BankView, Tables } from './tables.js';

/** What an erasure looks for, and what is left of one. */
export function erasureReader(
  tables: Tables,
): Pick<ViewsReader, 'bankEvents' | 'derivedFrom' | 'erasedValues' | 'unfinishedErasures'> {
  return {
    bankEvents: (bank, after = 0) =>
      tables.read<ChangeRow[]>(
        bank,
        (view) =>
          (
            view
              .sql('SELECT * FROM {bank_events} WHERE bank = ? AND seq > ? ORDER BY seq')
              .all(view.bank, after) as unknown as ChangeRecord[]
          ).map((record) => toChange(bank, record)),
        [],
      ),
    derivedFrom: (bank, memoryIds) => tables.read(bank, (view) => derivedFrom(view, memoryIds), []),
    erasedValues: (bank, fingerprints) =>
      tables.read<string[]>(
        bank,
        (view) =>
          (
            view
              .arrays(
                'SELECT DISTINCT fingerprint FROM {erased_values} WHERE bank = ? AND fingerprint IN (SELECT unhex(value) FROM json_each(?)) ORDER BY fingerprint',
              )
              .all(view.bank, JSON.stringify(fingerprints)) as unknown as [Uint8Array][]
          ).map(([fingerprint]) => hexOf(fingerprint)),
        [],
      ),
    unfinishedErasures: () =>
      tables.readAll(({ sql }) =>
        (
          sql(`SELECT bank, erasure_id FROM {erasures} WHERE state = 'ordered' ORDER BY bank, erasure_id`).all() as {
            bank: number;
            erasure_id: string;
          }[]
        ).map(({ bank, erasure_id }) => ({ bank: tables.bankId(bank), erasureId: erasure_id })),
      ),
  };
}

function derivedFrom({ bank, sql }: BankView, memoryIds: readonly string[]): { memoryId: string; version: number }[] {
  const rows = sql(
    `WITH RECURSIVE derived (memory_id) AS (
       SELECT value FROM json_each(?2)
       UNION
       SELECT v.memory_id FROM derived CROSS JOIN {version_sources} AS s ON s.bank = ?1 AND s.source_id = derived.memory_id
         CROSS JOIN {versions} AS v ON v.bank = s.bank AND v.doc = s.doc
     )
     SELECT memory_id, (SELECT max(version) FROM {versions} AS v WHERE v.bank = ?1 AND v.memory_id = derived.memory_id) AS version
       FROM derived WHERE memory_id NOT IN (SELECT value FROM json_each(?2)) ORDER BY memory_id`,
  ).all(bank, JSON.stringify(memoryIds)) as { memory_id: string; version: number }[];
  return rows.map(({ memory_id, version }) => ({ memoryId: memory_id, version }));
}
