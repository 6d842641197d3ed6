import { blockOf, packPosting } from '#views/postings.js';
import { docsTable, docTermsTable, keywordsShape, postingsTable, versionTagsTable } from '#views/tables/keywords.js';
import type { Projection } from './projection.js';

/** Which versions a term occurs in, what each version is weighed by, and its tags. */
export const keywords: Projection = {
  ...keywordsShape,
  opens: true,
  mayWait: true,
  needs: () => undefined,
  apply: (projected, { doc }, rows) => {
    const { envelope, event, tagHashes, terms, frequencies, length, speaker, entities, flags, keyLength } = projected;
    if (event.type !== 'MemoryRecorded' && event.type !== 'MemoryRevised') return;
    const { memoryId, version, kind, origin, expiresAt, occurredAt, importance, confidence } = event.data;
    const { bank, session, trust, recordedAt } = envelope;
    rows.add(docsTable, {
      bank,
      doc,
      memory_id: memoryId,
      version,
      length,
      expires_at: expiresAt === undefined ? null : Date.parse(expiresAt),
      kind,
      origin,
      session_id: session ?? null,
      happened_at: Date.parse(occurredAt ?? recordedAt),
      speaker: speaker ?? null,
      flags,
      importance: importance ?? null,
      confidence: confidence ?? null,
      trust: trust ?? null,
      entities: entities.length ? entities.join('') : null,
      key_length: keyLength,
    });
    if (tagHashes.length)
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
