import { boxText } from '#views/box-text.js';
import { recallSubjectsTable, recallsShape, recallsTable, servedTable } from '#views/tables/recalls.js';
import type { Projection } from './projection.js';

/** What was served: to whom, resting on what. Opens nothing, and no answer of a search rests on it. */
export const recalls: Projection = {
  ...recallsShape,
  takes: new Set(['RecallServed', 'MemoryErased', 'BankErased']),
  needs: () => undefined,
  apply: ({ envelope, event, position }, { seq }, rows) => {
    if (event.type !== 'RecallServed') return;
    const { bank, subjects, box } = envelope;
    const { data } = event;
    rows.add(recallsTable, {
      bank,
      recall_no: seq,
      recall_id: data.recallId,
      position,
      stream: envelope.stream,
      event_id: envelope.id,
      schema: envelope.schema,
      recorded_at: envelope.recordedAt,
      session_id: envelope.session ?? null,
      task_id: envelope.task ?? null,
      step: envelope.step ?? null,
      principal: envelope.principal,
      agent: envelope.agent ?? null,
      tool: envelope.tool ?? null,
      asked_at: data.at,
      valid_at: data.validAt ?? null,
      basis: data.position ?? null,
      took_ms: data.tookMs,
      items: JSON.stringify(data.items.map(({ memoryId, version, score }) => [memoryId, version, score])),
      subjects: subjects?.length ? JSON.stringify(subjects) : null,
      secret_id: box?.k ?? null,
      box: box ? boxText(box) : null,
    });
    for (const memory_id of new Set(data.items.map(({ memoryId }) => memoryId)))
      rows.add(servedTable, { bank, memory_id, recall_no: seq });
    for (const subject_hash of new Set(subjects)) rows.add(recallSubjectsTable, { bank, subject_hash, recall_no: seq });
  },
};
