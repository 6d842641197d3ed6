import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import type { Vault } from '#sealing/vault.js';
import { joinEntries } from '#sealing/vector-block.js';
import { manyVectorsBoxes, vectorBoxes } from '#sealing/vector-box.js';
import { packVector, unpackVector } from '#understanding/embeddings/scan/packed-vector.js';
import type { ViewsReader } from '#views/reader.js';
import { docsPerVectorBlock, type StoredVector, type VectorState } from '#views/vectors.js';
import { fakeVault } from '../test-support/fake-vault.js';
import { emptyBankVectors } from './bank-vectors.js';

const space = { model: 'm', dimensions: 8 };
const vectorOf = (seed: number) => Float32Array.from({ length: 8 }, (_, at) => Math.sin(1 + seed * 5 + at * 3));
const vault = fakeVault();
const boxes = () => vectorBoxes(vault, 'b1', space);
const keys = { secrets: ['k1'], subjects: [] };
const row = async (doc: number, seed = doc, changed = 0): Promise<StoredVector> => ({
  doc,
  sealed: (await boxes().seal(doc, keys, packVector(vectorOf(seed)), new Uint8Array(12).fill(seed)))!,
  changed,
});
const rows = (...made: Promise<StoredVector>[]) => Promise.all(made);

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
    const vectors = emptyBankVectors('b1', space, vault);
    const { reader } = stored(await rows(row(0), row(1), row(3), row(4)));
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
    expect(present(emptyBankVectors('b1', space, vault).at(0).cosines(question, 3, 3))).toEqual([]);
  });

  it('give the same for the same vector, and are read once', async () => {
    const vectors = emptyBankVectors('b1', space, vault);
    const store = stored(await rows(row(0)));
    await vectors.refresh(store.reader, state(1));
    store.rows.push(...(await rows(row(1, 0), row(2))));
    await Promise.all([vectors.refresh(store.reader, state(3)), vectors.refresh(store.reader, state(3))]);
    await vectors.refresh(store.reader, state(1));
    expect(store.asked).toEqual(['from 0', 'from 1']);
    const scores = vectors.at(0).cosines(vectorOf(5), 3, 3);
    expect(scores[1]).toBe(scores[0]);
    expect(scores[2]).not.toBe(scores[0]);
  });

  it('count one that was made anew from then on, and not before', async () => {
    const vectors = emptyBankVectors('b1', space, vault);
    const store = stored(await rows(row(0), row(2)));
    await vectors.refresh(store.reader, state(3, 1, 1));
    store.rows = await rows(row(0), row(1, 9, 2), row(2));
    await vectors.refresh(store.reader, state(3, 2, 1));
    expect(store.asked.at(-1)).toBe('after change 1');
    const question = vectorOf(4);
    expect(present(vectors.at(1).cosines(question, 3, 3))).toEqual([0, 2]);
    expect(present(vectors.at(2).cosines(question, 3, 3))).toEqual([0, 1, 2]);
    const anew = emptyBankVectors('b1', space, vault);
    await anew.refresh(store.reader, state(3, 2, 1));
    expect(anew.at(2).cosines(question, 3, 3)).toEqual(vectors.at(2).cosines(question, 3, 3));
    expect(anew.at(1).cosines(question, 3, 3)).toEqual(vectors.at(1).cosines(question, 3, 3));
  });

  it('leave out what is damaged, of another size or of another row', async () => {
    const vectors = emptyBankVectors('b1', space, vault);
    const seal = (doc: number, bytes: Uint8Array) => boxes().seal(doc, keys, bytes, new Uint8Array(12).fill(90 + doc));
    const bad = (doc: number, sealed: Uint8Array): StoredVector => ({ doc, sealed, changed: 0 });
    const held = [
      bad(0, new Uint8Array(5)),
      bad(1, (await seal(1, new Uint8Array(13)))!),
      await row(2),
      bad(3, (await row(2)).sealed),
      bad(4, packVector(vectorOf(4))),
    ];
    await vectors.refresh(stored(held).reader, state(5));
    expect(present(vectors.at(0).cosines(vectorOf(1), 5, 5))).toEqual([2]);
    expect(vectors.damaged).toBe(4);
  });

  it('are without one whose key was destroyed, which is not damage', async () => {
    const gone: Vault = { ...vault, secret: async (id) => (id === 'k2' ? undefined : vault.secret(id)) };
    const vectors = emptyBankVectors('b1', space, gone);
    const of = { secrets: ['k1', 'k2'], subjects: [] };
    const sealed = await boxes().seal(1, of, packVector(vectorOf(1)), new Uint8Array(12));
    const held = [await row(0), { doc: 1, sealed: sealed!, changed: 0 }, await row(2)];
    await vectors.refresh(stored(held).reader, state(3));
    expect(present(vectors.at(0).cosines(vectorOf(1), 3, 3))).toEqual([0, 2]);
    expect(vectors.damaged).toBe(0);
  });

  test.prop([fc.nat(), fc.integer({ min: 0, max: 7 })], { numRuns: 60 })(
    'notice every bit that was turned',
    async (byte, bit) => {
      const turned = await row(0, 1);
      turned.sealed[byte % turned.sealed.length]! ^= 1 << bit;
      const known: Vault = { ...vault, secret: async (id) => (id === 'k1' ? vault.secret(id) : undefined) };
      const vectors = emptyBankVectors('b1', space, known);
      await vectors.refresh(stored([turned]).reader, state(1));
      expect(vectors.damaged).toBe(1);
    },
  );

  it('are opened once, though what was read of the views is forgotten, unless they were made anew', async () => {
    const asked: string[] = [];
    const counting: Vault = {
      ...vault,
      async secret(id) {
        asked.push(id);
        return vault.secret(id);
      },
    };
    const question = vectorOf(5);
    const held = await rows(row(0), row(1), row(2), row(4));
    const first = emptyBankVectors('b1', space, counting);
    await first.refresh(stored(held).reader, state(5));
    expect(asked).toHaveLength(4);
    const before = first.at(0).cosines(question, 5, 5);

    // One was erased, one made anew, one is another's doc now: docs may be numbered anew.
    const later = [held[0]!, await row(1, 9, 1), { ...held[3]!, doc: 2 }, held[3]!];
    const second = emptyBankVectors('b1', space, counting, first.opened);
    await second.refresh(stored(later).reader, state(5, 1, 1));
    expect(asked).toHaveLength(6);
    expect(second.damaged).toBe(1);
    const anew = emptyBankVectors('b1', space, vault);
    await anew.refresh(stored(later).reader, state(5, 1, 1));
    expect(second.at(1).cosines(question, 5, 5)).toEqual(anew.at(1).cosines(question, 5, 5));
    expect(first.at(0).cosines(question, 5, 5)).toEqual(before);

    // One that has read nothing yet passes on what it was given.
    const idle = emptyBankVectors('b1', space, counting, second.opened);
    const third = emptyBankVectors('b1', space, counting, idle.opened);
    await third.refresh(stored([later[0]!, later[1]!, later[3]!]).reader, state(5, 1, 1));
    expect(asked).toHaveLength(6);
    expect(present(third.at(1).cosines(question, 5, 5))).toEqual([0, 1, 4]);
  });

  it('are as near to a question as they are', async () => {
    const vectors = emptyBankVectors('b1', space, vault);
    await vectors.refresh(stored(await rows(row(0), row(1))).reader, state(2));
    expect(vectors.at(0).cosines(vectorOf(1), 2, 2)[1]).toBeCloseTo(1, 3);
    expect([...vectors.at(0).cosines(new Float32Array(8), 2, 2)]).toEqual([Number.NaN, Number.NaN]);
  });

  const grown = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 6 });

  test.prop([fc.uniqueArray(fc.integer({ min: 0, max: 39 })), grown], { numRuns: 20 })(
    'hold at every mark what they would hold if they were read anew',
    async (docs, marks) => {
      const { reader } = stored(await rows(...docs.toSorted((one, other) => one - other).map((doc) => row(doc))));
      const vectors = emptyBankVectors('b1', space, vault);
      const question = vectorOf(3);
      for (const mark of marks) {
        await vectors.refresh(reader, state(mark));
        const anew = emptyBankVectors('b1', space, vault);
        await anew.refresh(reader, state(mark));
        expect(vectors.at(0).cosines(question, 40, mark)).toEqual(anew.at(0).cosines(question, 40, mark));
      }
    },
  );
});

describe('blocks', () => {
  const second = docsPerVectorBlock;
  const blockOf = async (rows: readonly StoredVector[], first: number) => {
    const entries = await Promise.all(
      rows.map(async ({ doc, changed, sealed }) => ({
        doc,
        changed,
        tag: sealed.subarray(-8),
        packed: (await boxes().open(doc, sealed)) as Uint8Array,
      })),
    );
    const nonce = new Uint8Array(12).fill(200);
    const sealed = await manyVectorsBoxes(vault, 'b1', space).seal(first, keys, joinEntries(entries), nonce);
    return { first, sealed: sealed! };
  };

  it('hold what their rows hold, so that only the others are read one by one; one that does not open leaves its rows to it', async () => {
    const made = await rows(row(0), row(2, 5, 3), row(second, 9), row(second + 1));
    const first = await blockOf(made.slice(0, 2), 0);
    const later = await blockOf(made.slice(2), second);
    const loaded = async (found: readonly { first: number; sealed: Uint8Array }[]) => {
      const home = stored([...made]);
      home.reader.vectorBlockFrom = async (_bank, _space, doc) => found.find((each) => each.first >= doc);
      const vectors = emptyBankVectors('b1', space, vault);
      await vectors.refresh(home.reader, state(second * 2, 3));
      const cosines = [2, 3].map((changes) => [...vectors.at(changes).cosines(vectorOf(1), second * 2, second * 2)]);
      return { asked: home.asked, cosines, damaged: vectors.damaged };
    };
    const plain = await loaded([]);
    const quick = await loaded([first, later]);
    expect(quick).toEqual({ ...plain, asked: [] });
    expect((await loaded([later])).asked).toEqual(['from 0']);
    const broken = {
      ...later,
      sealed: later.sealed.map((byte, at) => (at === later.sealed.length - 20 ? byte ^ 1 : byte)),
    };
    expect(await loaded([first, broken])).toEqual({ ...plain, asked: [`from ${second}`, `from ${second + 2}`] });
  });
});
