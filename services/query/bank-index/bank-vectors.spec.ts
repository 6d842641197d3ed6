import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { packVector, unpackVector } from '#understanding/embeddings/scan/packed-vector.js';
import type { ViewsReader } from '#views/reader.js';
import type { StoredVector, VectorState } from '#views/vectors.js';
import { emptyBankVectors } from './bank-vectors.js';

const space = { model: 'm', dimensions: 8 };
const vectorOf = (seed: number) => Float32Array.from({ length: 8 }, (_, at) => Math.sin(1 + seed * 5 + at * 3));
const row = (doc: number, seed = doc, changed = 0): StoredVector => ({
  doc,
  packed: packVector(vectorOf(seed)),
  changed,
});

interface Stored {
  readonly reader: ViewsReader;
  readonly asked: string[];
  rows: StoredVector[];
}

function stored(rows: StoredVector[]): Stored {
  const asked: string[] = [];
  const found: Stored = {
    asked,
    rows,
    reader: {
      vectorsFrom: async (_bank: string, _space: unknown, doc: number, limit: number) => {
        asked.push(`from ${doc}`);
        return found.rows.filter((each) => each.doc >= doc).slice(0, limit);
      },
      vectorsChangedAfter: async (_bank: string, _space: unknown, change: number) => {
        asked.push(`after change ${change}`);
        return found.rows.filter((each) => each.changed > change);
      },
    } as unknown as ViewsReader,
  };
  return found;
}

const state = (mark: number, changes = 0, blanked = 0): VectorState => ({ mark, changes, blanked });
const present = (scores: Float32Array) => [...scores].flatMap((score, doc) => (Number.isNaN(score) ? [] : [doc]));

describe('vectors of a bank in memory', () => {
  it('give the cosine with each doc, and nothing of docs without a vector, beyond the mark or beyond the basis', async () => {
    const vectors = emptyBankVectors('b1', space);
    const { reader } = stored([row(0), row(1), row(3), row(4)]);
    await vectors.refresh(reader, state(5));
    const question = vectorOf(77);
    const scores = vectors.at(0).cosines(question, 6, 5);
    expect(scores).toHaveLength(6);
    expect(present(scores)).toEqual([0, 1, 3, 4]);
    const length = Math.hypot(...question);
    for (const doc of [0, 1, 3, 4]) {
      const own = unpackVector(packVector(vectorOf(doc)));
      expect(scores[doc]).toBeCloseTo(own.reduce((sum, value, at) => sum + value * question[at]!, 0) / length, 4);
    }
    expect(present(vectors.at(0).cosines(question, 6, 4))).toEqual([0, 1, 3]);
    expect(present(vectors.at(0).cosines(question, 2, 5))).toEqual([0, 1]);
    expect(present(emptyBankVectors('b1', space).at(0).cosines(question, 3, 3))).toEqual([]);
  });

  it('give the same for the same vector, and are read once', async () => {
    const vectors = emptyBankVectors('b1', space);
    const store = stored([row(0)]);
    await vectors.refresh(store.reader, state(1));
    store.rows.push(row(1, 0), row(2));
    await Promise.all([vectors.refresh(store.reader, state(3)), vectors.refresh(store.reader, state(3))]);
    await vectors.refresh(store.reader, state(1));
    expect(store.asked).toEqual(['from 0', 'from 1']);
    const scores = vectors.at(0).cosines(vectorOf(5), 3, 3);
    expect(scores[1]).toBe(scores[0]);
    expect(scores[2]).not.toBe(scores[0]);
  });

  it('count one that was made anew from then on, and not before', async () => {
    const vectors = emptyBankVectors('b1', space);
    const store = stored([row(0), row(2)]);
    await vectors.refresh(store.reader, state(3, 1, 1));
    store.rows = [row(0), row(1, 9, 2), row(2)];
    await vectors.refresh(store.reader, state(3, 2, 1));
    expect(store.asked.at(-1)).toBe('after change 1');
    const question = vectorOf(4);
    expect(present(vectors.at(1).cosines(question, 3, 3))).toEqual([0, 2]);
    expect(present(vectors.at(2).cosines(question, 3, 3))).toEqual([0, 1, 2]);
    const anew = emptyBankVectors('b1', space);
    await anew.refresh(store.reader, state(3, 2, 1));
    expect(anew.at(2).cosines(question, 3, 3)).toEqual(vectors.at(2).cosines(question, 3, 3));
    expect(anew.at(1).cosines(question, 3, 3)).toEqual(vectors.at(1).cosines(question, 3, 3));
  });

  it('leave out what is damaged', async () => {
    const vectors = emptyBankVectors('b1', space);
    const bad = (doc: number, packed: Uint8Array): StoredVector => ({ doc, packed, changed: 0 });
    const infinite = packVector(vectorOf(1));
    new DataView(infinite.buffer).setFloat32(0, Infinity, true);
    const rows = [bad(0, new Uint8Array(5)), bad(1, infinite), row(2), bad(3, new Uint8Array(12))];
    await vectors.refresh(stored(rows).reader, state(4));
    expect(present(vectors.at(0).cosines(vectorOf(1), 4, 4))).toEqual([2]);
    expect(vectors.damaged).toBe(3);
  });

  test.prop([fc.integer({ min: 0, max: 11 }), fc.integer({ min: 0, max: 7 })], { numRuns: 40 })(
    'notice every bit that was turned',
    async (byte, bit) => {
      const turned = packVector(vectorOf(1));
      turned[byte]! ^= 1 << bit;
      const vectors = emptyBankVectors('b1', space);
      await vectors.refresh(stored([{ doc: 0, packed: turned, changed: 0 }]).reader, state(1));
      expect(vectors.damaged).toBe(1);
    },
  );

  it('are as near to a question as they are', async () => {
    const vectors = emptyBankVectors('b1', space);
    await vectors.refresh(stored([row(0), row(1)]).reader, state(2));
    expect(vectors.at(0).cosines(vectorOf(1), 2, 2)[1]).toBeCloseTo(1, 3);
    expect([...vectors.at(0).cosines(new Float32Array(8), 2, 2)]).toEqual([0, 0]);
  });

  const grown = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 6 });

  test.prop([fc.uniqueArray(fc.integer({ min: 0, max: 39 })), grown], { numRuns: 20 })(
    'hold at every mark what they would hold if they were read anew',
    async (docs, marks) => {
      const { reader } = stored(docs.toSorted((one, other) => one - other).map((doc) => row(doc)));
      const vectors = emptyBankVectors('b1', space);
      const question = vectorOf(3);
      for (const mark of marks) {
        await vectors.refresh(reader, state(mark));
        const anew = emptyBankVectors('b1', space);
        await anew.refresh(reader, state(mark));
        expect(vectors.at(0).cosines(question, 40, mark)).toEqual(anew.at(0).cosines(question, 40, mark));
      }
    },
  );
});
