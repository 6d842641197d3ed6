import { afterWrite, isTurn, turns } from '#memory/fold-memory.js';
import type { MemoryStatus } from '#memory/memory-state.js';
import { countedTable, countsTable, statsShape } from '#views/tables/stats.js';
import type { Projection, RowsInHand } from './projection.js';

/** Memories by kind and stored status of their latest version. */
export const stats: Projection = {
  ...statsShape,
  needs: ({ envelope: { bank }, event }, ask) => {
    if (!('memoryId' in event.data)) return;
    ask(countsTable, [bank]);
    if (event.type !== 'MemoryRecorded') ask(countedTable, [bank, event.data.memoryId]);
  },
  apply: ({ envelope: { bank }, event }, _place, rows) => {
    switch (event.type) {
      case 'MemoryRecorded':
      case 'MemoryRevised': {
        const { memoryId, kind } = event.data;
        const [before] = rows.of(countedTable, bank, memoryId);
        return recount(
          bank,
          memoryId,
          { kind, status: afterWrite((before?.status ?? 'absent') as MemoryStatus) },
          rows,
        );
      }
      case 'MemoryErased':
        return recount(bank, event.data.memoryId, { status: 'erased' }, rows);
      default:
        if (isTurn(event)) recount(bank, event.data.memoryId, { status: turns[event.type].status }, rows);
    }
  },
};

function recount(bank: string, memoryId: string, change: { kind?: string; status: string }, rows: RowsInHand): void {
  const [before] = rows.of(countedTable, bank, memoryId);
  const kind = change.kind ?? before?.kind;
  if (kind === undefined || (before?.kind === kind && before.status === change.status)) return;
  if (before) addTo(bank, before.kind, before.status, -1, rows);
  addTo(bank, kind, change.status, 1, rows);
  rows.put(countedTable, { bank, memory_id: memoryId, kind, status: change.status });
}

function addTo(bank: string, kind: string, status: string, by: number, rows: RowsInHand): void {
  const before = rows.of(countsTable, bank).find((each) => each.kind === kind && each.status === status);
  rows.put(countsTable, { bank, kind, status, memories: (before?.memories ?? 0) + by });
}
