import { endedTable, findingsShape, findingsTable } from '#views/tables/findings.js';
import type { Projection } from './projection.js';

/**
 * What a model found in memories. It looks at every event, since its rows carry their moments. A reading stands in a stream of its own, and may
 * come behind the erasure of what was read: what it found then counts for nothing, whether it still opens or not.
 */
export const findings: Projection = {
  ...findingsShape,
  opens: new Set(['MemoryEnriched']),
  needs: ({ envelope: { bank }, event }, ask) => {
    if (event.type === 'MemoryEnriched') ask(endedTable, [bank, event.data.memoryId]);
  },
  apply: ({ envelope: { bank, revision, recordedAt }, event, found }, { seq }, rows) => {
    if (event.type === 'MemoryErased') rows.put(endedTable, { bank, memory_id: event.data.memoryId, revision });
    if (event.type !== 'MemoryEnriched') return;
    const { memoryId, version, rules, model, tokens, knew } = event.data;
    const [ended] = rows.of(endedTable, bank, memoryId);
    const stands = found !== undefined && !(ended && ended.revision > knew);
    rows.add(findingsTable, {
      bank,
      seq,
      memory_id: memoryId,
      version,
      rules,
      model,
      tokens_read: tokens.read,
      tokens_written: tokens.written,
      at: recordedAt,
      names: stands && found.names.length > 0 ? found.names.join('') : null,
      times: stands && found.times.length > 0 ? JSON.stringify(found.times) : null,
    });
  },
};
