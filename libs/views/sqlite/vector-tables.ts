/**
 * Vectors, of no generation. By doc first: what is purged is found in all spaces at once, those that are being removed among them. `sealed` is
 * unset where a vector is to be made anew. A block holds what the rows of its docs hold, once more (docs/decisions/0034): with any of these it goes. The trigger is for
 * a former release that has the file open still: it knows no blocks, and numbers docs anew.
 */
export const vectorTables = `
CREATE TABLE IF NOT EXISTS hl_vector_spaces (
  space INTEGER PRIMARY KEY AUTOINCREMENT, model TEXT NOT NULL, dimensions INTEGER NOT NULL, UNIQUE (model, dimensions)
);
CREATE TABLE IF NOT EXISTS hl_vector_banks (bank INTEGER PRIMARY KEY, changes INTEGER NOT NULL, blanked INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS hl_vector_marks (
  space INTEGER NOT NULL, bank INTEGER NOT NULL, mark INTEGER NOT NULL, PRIMARY KEY (space, bank)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS hl_vectors (
  bank INTEGER NOT NULL, doc INTEGER NOT NULL, space INTEGER NOT NULL, before INTEGER, changed INTEGER NOT NULL, sealed BLOB,
  PRIMARY KEY (bank, doc, space)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS hl_vector_blocks (
  bank INTEGER NOT NULL, first INTEGER NOT NULL, space INTEGER NOT NULL, sealed BLOB NOT NULL, PRIMARY KEY (bank, first, space)
);
CREATE INDEX IF NOT EXISTS hl_vectors_before ON hl_vectors (bank, before) WHERE before IS NOT NULL;
CREATE INDEX IF NOT EXISTS hl_vectors_changed ON hl_vectors (bank, changed) WHERE changed > 0;
CREATE INDEX IF NOT EXISTS hl_vectors_blank ON hl_vectors (bank, doc) WHERE sealed IS NULL;
CREATE TRIGGER IF NOT EXISTS hl_vector_blocks_end AFTER DELETE ON hl_vector_marks BEGIN
  DELETE FROM hl_vector_blocks WHERE bank = OLD.bank AND space = OLD.space;
END;
`;

/** In a file of a former release, whose vectors were not sealed: they go, and are made anew, from cache.db where they are in it. */
export const unsealedAway = `
DROP TABLE IF EXISTS hl_vectors;
${vectorTables}
DELETE FROM hl_vector_blocks;
DELETE FROM hl_vector_marks;
UPDATE hl_vector_banks SET changes = changes + 1;
`;

/** The number of a space, given its model and dimensions. */
export const spaceNumber = 'SELECT space FROM hl_vector_spaces WHERE model = ? AND dimensions = ?';
