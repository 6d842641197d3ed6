import { fc, test } from '@fast-check/vitest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isHindsightError } from '#contract/errors.js';
import type { Row } from './table.js';
import { versionsShape, versionsTable } from './tables/versions.js';
import type { MadeVector } from './vectors.js';
import type { ViewsHarness } from './views.contract.js';
import type { GenerationChange, GenerationId, ProjectionShape, Views } from './views.js';

/** The shapes that the adapter must be opened with. */
export const vectorShapes: readonly ProjectionShape[] = [versionsShape];

const space = { model: 'ab'.repeat(32), dimensions: 8 };
const other = { model: 'cd'.repeat(32), dimensions: 8 };
const small = { model: 'ab'.repeat(32), dimensions: 3 };
const isMoved = (error: unknown): boolean => isHindsightError(error, 'checkpoint_moved');

/** Bytes of any length, as sealed ones are to a store. */
const sealedOf = (doc: number, seed = 0): Uint8Array =>
  Uint8Array.from({ length: 40 + (doc % 3) }, (_, at) => 1 + doc * 7 + at * 3 + seed * 11);
const vectorOf = (doc: number, before?: number, seed = 0): MadeVector => ({ doc, before, sealed: sealedOf(doc, seed) });
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

function version(bank: string, doc: number, memoryId: string): Row {
  const unset = Object.fromEntries(Object.keys(versionsTable.columns).map((column) => [column, null]));
  const at = '2026-03-01T09:00:00.000Z';
  const row = { bank, doc, memory_id: memoryId, seq: doc + 1, version: 1, kind: 'semantic', origin: 'user' };
  const told = { happened_at: at, valid_from: at, recorded_at: at, stream: 's', event_id: `e${doc}`, type: 't' };
  return { ...unset, ...row, ...told, schema: 1, principal: 'p', box: '{}' };
}

/** What every adapter does with vectors, whatever it stands on. @param runs of properties */
export function vectorsContract(name: string, harness: ViewsHarness, runs = 30): void {
  describe(`vectors: ${name}`, () => {
    let views: Views;
    let again: Views;
    let id: GenerationId;
    let at = 0;

    /** Commits to a generation, the next position each time. */
    const commit = async (rest: Partial<GenerationChange>, to = id): Promise<void> => {
      const [checkpoint] = await views.checkpoints(to);
      const next = String(++at).padStart(6, '0');
      await views.commit([
        {
          id: to,
          partition: 0,
          from: checkpoint!.position,
          to: { position: next, systemTime: '2026-03-01T09:00:00.000Z' },
          numbers: new Map(),
          tables: [],
          setAside: [],
          ...rest,
        },
      ]);
    };
    const write = (bank: string, memories: readonly string[], to = id): Promise<void> =>
      commit(
        {
          numbers: new Map([[bank, { seq: memories.length, docs: memories.length }]]),
          tables: [
            {
              table: versionsTable,
              added: memories.map((memory, doc) => version(bank, doc, memory)),
              changed: [],
              appended: [],
            },
          ],
        },
        to,
      );
    const purge = (bank: string, memoryIds: readonly string[], to = id): Promise<void> =>
      commit(
        {
          purges: {
            banks: [],
            memories: memoryIds.map((memoryId) => ({ bank, memoryId, seq: 1_000, doc: 1_000 })),
            steps: versionsShape.purge,
          },
        },
        to,
      );
    const state = (bank: string, of = space) => again.reader().vectorState(bank, of);
    const put = async (bank: string, rows: readonly MadeVector[], mark: number, of = space): Promise<void> =>
      views.vectors.put(bank, of, { from: await state(bank, of), rows, mark });
    const docsOf = async (bank: string, of = space): Promise<number[]> =>
      (await again.reader().vectorsFrom(bank, of, 0, 1_000)).map(({ doc }) => doc);

    beforeAll(async () => {
      views = await harness.open();
      again = await harness.openAgain();
      id = await views.startGeneration(versionsShape);
      await write('b0', ['m0', 'm1', 'm2', 'm1', 'm3']);
    });
    afterAll(async () => {
      await views.close();
      await again.close();
    });

    it('has none of a space that was not made, nor of a bank that was never seen', async () => {
      expect(await state('b0')).toEqual({ mark: 0, changes: 0, blanked: 0 });
      expect(await state('nobody')).toEqual({ mark: 0, changes: 0, blanked: 0 });
      expect(await docsOf('b0')).toEqual([]);
      expect(await again.reader().vectorsChangedAfter('b0', space, 0)).toEqual([]);
      expect(await again.reader().vectorSpaces('nobody')).toEqual([]);
      expect(await views.vectors.blanks('b0', space, 9)).toEqual([]);
      expect(await views.vectors.behind(space, 9)).toEqual([{ bank: 'b0', docs: 5, mark: 0, blanks: 0 }]);
      await expect(put('b0', [vectorOf(0)], 1)).rejects.toSatisfy(isMoved);
    });

    it('makes a space once, whoever does', async () => {
      await Promise.all([views.vectors.make(space), again.vectors.make(space)]);
      await views.vectors.make(small);
      expect(await again.vectors.spaces()).toEqual([space, small]);
      expect(await docsOf('b0')).toEqual([]);
    });

    it('gives back the bytes that were put, in the order of docs, up to the mark and no further', async () => {
      await put('b0', [vectorOf(0), vectorOf(1, 0)], 2);
      await put('b0', [vectorOf(4, 3), vectorOf(2, 1)], 5);
      const reader = again.reader();
      const rows = await reader.vectorsFrom('b0', space, 1, 2);
      expect(rows.map(({ doc, sealed, changed }) => [doc, hex(sealed), changed])).toEqual([
        [1, hex(sealedOf(1)), 0],
        [2, hex(sealedOf(2)), 0],
      ]);
      expect(await docsOf('b0')).toEqual([0, 1, 2, 4]);
      expect(await state('b0')).toEqual({ mark: 5, changes: 0, blanked: 0 });
      expect(await views.vectors.behind(space, 9)).toEqual([]);
      expect(await reader.vectorSpaces('b0')).toEqual([space]);
    });

    it('refuses what rests on another mark, and writes nothing of it', async () => {
      await expect(
        views.vectors.put('b0', space, { from: { mark: 2, changes: 0 }, rows: [vectorOf(3, 2)], mark: 4 }),
      ).rejects.toSatisfy(isMoved);
      expect(await docsOf('b0')).toEqual([0, 1, 2, 4]);
      expect((await state('b0')).mark).toBe(5);
    });

    it('never mixes spaces, nor banks', async () => {
      await write('b1', ['m0', 'm9']);
      await views.vectors.make(other);
      await put('b0', [vectorOf(0, undefined, 1)], 1, other);
      await put('b1', [vectorOf(0, undefined, 2)], 1, other);
      const reader = again.reader();
      expect(hex((await reader.vectorsFrom('b0', other, 0, 9))[0]!.sealed)).toBe(hex(sealedOf(0, 1)));
      expect(hex((await reader.vectorsFrom('b1', other, 0, 9))[0]!.sealed)).toBe(hex(sealedOf(0, 2)));
      expect(await docsOf('b0', small)).toEqual([]);
      expect(await reader.vectorSpaces('b0')).toEqual([space, other]);
      expect(await views.vectors.behind(other, 9)).toEqual([
        { bank: 'b0', docs: 5, mark: 1, blanks: 0 },
        { bank: 'b1', docs: 2, mark: 1, blanks: 0 },
      ]);
      expect(await views.vectors.behind(other, 1)).toHaveLength(1);
    });

    it('loses the vectors of what was erased in all spaces, and makes anew those whose window held it', async () => {
      const stamp = await again.stamp();
      await purge('b0', ['m0', 'nobody']);
      expect(await again.stamp()).not.toBe(stamp);
      expect(await docsOf('b0')).toEqual([2, 4]);
      expect(await docsOf('b0', other)).toEqual([]);
      expect(await docsOf('b1', other)).toEqual([0]);
      expect(await state('b0')).toEqual({ mark: 5, changes: 1, blanked: 1 });
      expect(await views.vectors.blanks('b0', space, 9)).toEqual([1]);
      expect(await views.vectors.behind(space, 9)).toContainEqual({ bank: 'b0', docs: 5, mark: 5, blanks: 1 });
      await put('b0', [vectorOf(1, undefined, 5)], 5);
      expect(await state('b0')).toEqual({ mark: 5, changes: 2, blanked: 1 });
      const anew = await again.reader().vectorsChangedAfter('b0', space, 1);
      expect(anew.map(({ doc, sealed, changed }) => [doc, hex(sealed), changed])).toEqual([
        [1, hex(sealedOf(1, 5)), 2],
      ]);
      expect(await again.reader().vectorsChangedAfter('b0', space, 2)).toEqual([]);
      expect(await docsOf('b0')).toEqual([1, 2, 4]);
      // Its window is gone: erasing what was said before once more changes nothing of it.
      await purge('b0', ['m0']);
      expect(await views.vectors.blanks('b0', space, 9)).toEqual([]);
      expect((await state('b0')).blanked).toBe(1);
    });

    it('refuses a vector of a text that was opened before an erasure, be it the first of its bank', async () => {
      await write('b2', ['m0', 'm1']);
      const from = await state('b2');
      await purge('b2', ['m0']);
      await expect(
        views.vectors.put('b2', space, { from, rows: [vectorOf(0), vectorOf(1, 0)], mark: 2 }),
      ).rejects.toSatisfy(isMoved);
      expect(await docsOf('b2')).toEqual([]);
    });

    it('leaves out a blank of which nothing is to be made', async () => {
      await put('b2', [vectorOf(1, 0)], 2);
      await purge('b2', ['m0']);
      expect(await views.vectors.blanks('b2', space, 9)).toEqual([1]);
      await views.vectors.put('b2', space, { from: await state('b2'), rows: [], gone: [1], mark: 2 });
      expect(await views.vectors.blanks('b2', space, 9)).toEqual([]);
    });

    it('forgets all of a bank that ended', async () => {
      await write('b3', ['m0', 'm1']);
      await put('b3', [vectorOf(0), vectorOf(1, 0)], 2);
      const from = await state('b3');
      await commit({ purges: { banks: ['b3'], memories: [], steps: [] } });
      expect(await docsOf('b3')).toEqual([]);
      expect((await state('b3')).mark).toBe(0);
      await expect(views.vectors.put('b3', space, { from, rows: [vectorOf(1)], mark: 2 })).rejects.toSatisfy(isMoved);
      expect(await docsOf('b1', other)).toEqual([0]);
    });

    it('removes a space with its vectors, and lets nobody put into it', async () => {
      await views.vectors.drop(other);
      expect(await again.vectors.spaces()).toEqual([space, small]);
      expect(await docsOf('b1', other)).toEqual([]);
      expect(await again.reader().vectorSpaces('b1')).toEqual([]);
      await expect(put('b1', [vectorOf(0)], 1, other)).rejects.toSatisfy(isMoved);
      await views.vectors.make(other);
      expect(await docsOf('b1', other)).toEqual([]);
      expect(await docsOf('b0')).toEqual([1, 2, 4]);
    });

    it('keeps them through a rebuild, and purges what is erased in the one that is being built', async () => {
      const next = await views.startGeneration({ ...versionsShape, version: versionsShape.version + 1 });
      await write('b0', ['m0', 'm1', 'm2', 'm1', 'm3'], next);
      await purge('b0', ['m3'], next);
      expect(await docsOf('b0')).toEqual([1, 2]);
      await write('b4', ['m0'], next);
      expect(await views.switchTo([next])).toBe(true);
      await views.drop([id]);
      id = next;
      expect(await docsOf('b0')).toEqual([1, 2]);
      expect((await state('b0')).mark).toBe(5);
    });

    it('goes with the generation in use, and where something was set aside: docs may be numbered anew then', async () => {
      const letter = { stream: 's', eventId: 'e', type: 't', reason: 'r', at: '2026-03-01T09:00:00.000Z' };
      await commit({ setAside: [{ position: '000000', ...letter }] });
      const next = await views.startGeneration({ ...versionsShape, version: versionsShape.version + 2 });
      await write('b0', ['m0', 'm1'], next);
      const before = await state('b0');
      expect(await views.switchTo([next])).toBe(true);
      expect(await docsOf('b0')).toEqual([]);
      await expect(
        views.vectors.put('b0', space, { from: before, rows: [vectorOf(1)], mark: before.mark }),
      ).rejects.toSatisfy(isMoved);
      await views.drop([id]);
      id = next;
      await put('b0', [vectorOf(0)], 1);
      await views.drop([id]);
      expect(await docsOf('b0')).toEqual([]);
      expect((await state('b0')).mark).toBe(0);
      id = await views.startGeneration(versionsShape);
    });

    const steps = fc.array(
      fc.oneof(
        fc.record({ do: fc.constant('put' as const), docs: fc.integer({ min: 1, max: 4 }) }),
        fc.record({ do: fc.constant('purge' as const), memory: fc.integer({ min: 0, max: 5 }) }),
        fc.record({ do: fc.constant('anew' as const), limit: fc.integer({ min: 1, max: 3 }) }),
      ),
      { maxLength: 12 },
    );
    let banks = 0;

    test.prop([fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 14 }), steps], { numRuns: runs })(
      'holds for every doc below the mark what was put last, unless it or what it rests on was erased',
      async (memories, doing) => {
        const bank = `p${++banks}`;
        await write(
          bank,
          memories.map((memory) => `m${memory}`),
        );
        const held = new Map<number, { before: number | undefined; seed: number } | 'blank'>();
        const erased = new Set<number>();
        let mark = 0;
        for (const [seed, step] of doing.entries()) {
          if (step.do === 'put') {
            const end = Math.min(mark + step.docs, memories.length);
            const made = memories.flatMap((memory, doc) => {
              if (doc < mark || doc >= end || erased.has(memory)) return [];
              const isOther = doc > 0 && memories[doc - 1] !== memory && !erased.has(memories[doc - 1]!);
              return [vectorOf(doc, isOther ? doc - 1 : undefined, seed)];
            });
            await put(bank, made, end);
            for (const { doc, before } of made) held.set(doc, { before, seed });
            mark = end;
          } else if (step.do === 'purge') {
            await purge(bank, [`m${step.memory}`]);
            erased.add(step.memory);
            for (const [doc, what] of [...held]) {
              if (memories[doc] === step.memory) held.delete(doc);
              else if (what !== 'blank' && what.before !== undefined && memories[what.before] === step.memory)
                held.set(doc, 'blank');
            }
          } else {
            const blanks = await views.vectors.blanks(bank, space, step.limit);
            await put(
              bank,
              blanks.map((doc) => vectorOf(doc, undefined, seed)),
              mark,
            );
            for (const doc of blanks) held.set(doc, { before: undefined, seed });
          }
        }
        const found = await again.reader().vectorsFrom(bank, space, 0, 100);
        const made = [...held].filter((entry) => entry[1] !== 'blank').sort(([one], [two]) => one - two);
        expect(found.map(({ doc, sealed }) => [doc, hex(sealed)])).toEqual(
          made.map(([doc, what]) => [doc, hex(sealedOf(doc, what === 'blank' ? -1 : what.seed))]),
        );
        const blanks = [...held].flatMap(([doc, what]) => (what === 'blank' ? [doc] : [])).sort((a, b) => a - b);
        expect(await views.vectors.blanks(bank, space, 100)).toEqual(blanks);
        expect((await state(bank)).mark).toBe(mark);
      },
    );
  });
}
