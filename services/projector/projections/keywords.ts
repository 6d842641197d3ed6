import { appendPosting, blockOf } from '#views/postings.js';
import { docsTable, keywordsShape, postingsTable } from '#views/tables/keywords.js';
import type { Projection } from './projection.js';

const nothing = new Uint8Array();

/** Which versions a term occurs in, and how long each version is. */
export const keywords: Projection = {
  ...keywordsShape,
  needs: ({ envelope, event, terms }, ask, doc) => {
    if (event.type !== 'MemoryRecorded' && event.type !== 'MemoryRevised') return;
    const block = blockOf(doc);
    for (const [term] of terms) ask(postingsTable, envelope.bank, term, block);
  },
  apply: ({ envelope: { bank }, event, terms, length }, { doc }, rows) => {
    if (event.type !== 'MemoryRecorded' && event.type !== 'MemoryRevised') return;
    const { memoryId, version, kind, expiresAt } = event.data;
    rows.add(docsTable, {
      bank,
      doc,
      memory_id: memoryId,
      version,
      length,
      expires_at: expiresAt === undefined ? null : Date.parse(expiresAt),
      kind,
    });
    const block = blockOf(doc);
    for (const [term, tf] of terms) {
      const [before] = rows.of(postingsTable, bank, term, block);
      const bytes = appendPosting(before?.bytes ?? nothing, before?.last, { doc, tf });
      rows.put(postingsTable, { bank, term, block, last: doc, bytes });
    }
  },
};
