import { blockOf, packPosting } from '#views/postings.js';
import { docsTable, docTermsTable, keywordsShape, postingsTable, versionTagsTable } from '#views/tables/keywords.js';
import type { Projection } from './projection.js';

/** Which versions a term occurs in, how long each version is, and its tags. */
export const keywords: Projection = {
  ...keywordsShape,
  opens: true,
  needs: () => undefined,
  apply: ({ envelope: { bank }, event, tagHashes, terms, frequencies, length }, { doc }, rows) => {
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
    for (const tag_hash of new Set(tagHashes)) rows.add(versionTagsTable, { bank, tag_hash, doc });
    if (terms.length) rows.add(docTermsTable, { bank, doc, terms: terms.join('') });
    const shared = { bank, block: blockOf(doc) };
    const once = posting(doc, 1);
    for (let index = 0; index < terms.length; index++) {
      const tf = frequencies[index]!;
      rows.append(postingsTable, shared, terms[index]!, tf === 1 ? once : posting(doc, tf));
    }
  },
};

function posting(doc: number, tf: number): string {
  return Buffer.from(packPosting(doc, tf)).toString('hex');
}
