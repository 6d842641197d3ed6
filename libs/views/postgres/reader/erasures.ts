import type { ViewsReader } from '../../reader.js';
import type { ChangeRow } from '../../rows.js';
import { type ChangeRecord, toChange } from '../../version-records.js';
import { decodeText, encodeText } from '../cells.js';
import type { Banks, BankView } from './bank-view.js';
import { decoded } from './history.js';
import { safeMoment } from './moments.js';

/** What an erasure looks for, and what is left of one. */
export function erasureReader(
  banks: Banks,
): Pick<ViewsReader, 'bankEvents' | 'derivedFrom' | 'erasedValues' | 'unfinishedErasures'> {
  return {
    bankEvents: (bank, after = 0) =>
      banks.read<ChangeRow[]>(
        bank,
        async (view) =>
          (
            await view.rows<ChangeRecord>(
              `SELECT * FROM {bank_events} WHERE bank = $1 AND seq > $2 AND seq <= ${safeMoment} ORDER BY seq`,
              after,
            )
          ).map((record) => toChange(bank, decoded(record))),
        [],
      ),
    derivedFrom: (bank, memoryIds) => banks.read(bank, (view) => derivedFrom(view, memoryIds), []),
    erasedValues: (bank, fingerprints) =>
      banks.read<string[]>(
        bank,
        async (view) =>
          (
            await view.rows<{ fingerprint: Buffer }>(
              'SELECT DISTINCT fingerprint FROM {erased_values} WHERE bank = $1 AND fingerprint = ANY($2::bytea[]) ORDER BY fingerprint',
              fingerprints.map((each) => Buffer.from(each, 'hex')),
            )
          ).map(({ fingerprint }) => fingerprint.toString('hex')),
        [],
      ),
    async unfinishedErasures() {
      const found = await banks.ask<{ bank: string; erasure_id: string }>(
        'SELECT bank, erasure_id FROM hindsight.hl_unfinished_erasures()',
      );
      return found.map(({ bank, erasure_id }) => ({ bank, erasureId: decodeText(erasure_id) }));
    },
  };
}

async function derivedFrom(
  view: BankView,
  memoryIds: readonly string[],
): Promise<{ memoryId: string; version: number }[]> {
  const rows = await view.rows<{ memory_id: string; version: number }>(
    `WITH RECURSIVE derived (memory_id) AS (
       SELECT given.memory_id COLLATE "C" FROM unnest($2::text[]) AS given (memory_id)
       UNION
       SELECT v.memory_id FROM derived JOIN {version_sources} AS s ON s.bank = $1 AND s.source_id = derived.memory_id
         JOIN {versions} AS v ON v.bank = s.bank AND v.doc = s.doc
     )
     SELECT memory_id, (SELECT max(version) FROM {versions} AS v WHERE v.bank = $1 AND v.memory_id = derived.memory_id) AS version
       FROM derived WHERE memory_id <> ALL ($2::text[]) ORDER BY memory_id`,
    memoryIds.map(encodeText),
  );
  return rows.map(({ memory_id, version }) => ({ memoryId: decodeText(memory_id), version }));
}
