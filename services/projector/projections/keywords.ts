import { blockOf, packPosting } from '#views/postings.js';
import { docsTable, keywordsShape, postingsTable } from '#views/tables/keywords.js';
import type { Projection } from './projection.js';

/** Which versions a term occurs in, and how long each version is. */
export const keywords: Projection = {
  ...keywordsShape,
  needs: () => undefined,
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
    const once = packPosting(doc, 1);
    for (const [term, tf] of terms)
      rows.append(postingsTable, { bank, term, block, bytes: tf === 1 ? once : packPosting(doc, tf) });
  },
};
