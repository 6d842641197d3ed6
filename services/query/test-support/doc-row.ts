import type { DocRow } from '#views/rows.js';

/** A doc of which a test says what it is about, and of which nothing else is known. */
export function docRow(given: Partial<DocRow> & Pick<DocRow, 'doc'>): DocRow {
  return {
    memoryId: `m${given.doc}`,
    version: 1,
    length: 1,
    expiresAt: Infinity,
    kind: 'semantic',
    origin: 'agent',
    at: 0,
    flags: 0,
    entities: [],
    keyLength: 0,
    ...given,
  };
}
