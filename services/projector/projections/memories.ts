import { afterWrite, isTurn, turns } from '#memory/fold-memory.js';
import type { MemoryStatus } from '#memory/memory-state.js';
import type { RowOf } from '#views/table.js';
import { memoriesShape, memoriesTable } from '#views/tables/memories.js';
import type { Place, ProjectedEvent, Projection, RowsInHand } from './projection.js';

/** Current state of each memory. */
export const memories: Projection = {
  ...memoriesShape,
  opens: true,
  needs: ({ envelope, event }, ask) => {
    if (!('memoryId' in event.data) || event.type === 'MemoryRecorded') return;
    ask(memoriesTable, [envelope.bank, event.data.memoryId]);
  },
  apply: (projected, place, rows) => {
    const { event, envelope } = projected;
    switch (event.type) {
      case 'MemoryRecorded':
      case 'MemoryRevised': {
        const [before] = rows.of(memoriesTable, envelope.bank, event.data.memoryId);
        return rows.put(memoriesTable, {
          bank: envelope.bank,
          memory_id: event.data.memoryId,
          status: afterWrite((before?.status ?? 'absent') as MemoryStatus),
          version: event.data.version,
          kind: event.data.kind,
          // A memory keeps the key it was first written with, also where a later version does not repeat it.
          key_hash: before?.key_hash ?? projected.keyHash ?? null,
          revision: envelope.revision,
          seq: place.seq,
          expires_at: event.data.expiresAt ?? null,
        });
      }
      case 'MemoryErased': {
        const [before] = rows.of(memoriesTable, envelope.bank, event.data.memoryId);
        if (before)
          rows.put(memoriesTable, {
            ...before,
            status: 'erased',
            key_hash: null,
            expires_at: null,
            revision: envelope.revision,
            seq: place.seq,
          });
        return;
      }
      case 'MemoryRated':
        return withStatus(undefined, event.data.memoryId, projected, place, rows);
      default:
        if (isTurn(event)) withStatus(turns[event.type].status, event.data.memoryId, projected, place, rows);
    }
  },
};

/** @param status undefined: as it was */
function withStatus(
  status: RowOf<typeof memoriesTable>['status'] | undefined,
  memoryId: string,
  { envelope }: ProjectedEvent,
  { seq }: Place,
  rows: RowsInHand,
): void {
  const [before] = rows.of(memoriesTable, envelope.bank, memoryId);
  if (before) rows.put(memoriesTable, { ...before, status: status ?? before.status, revision: envelope.revision, seq });
}
