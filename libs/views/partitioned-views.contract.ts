import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isHindsightError } from '#contract/errors.js';
import { canonicalDump } from './canonical-dump.js';
import { table } from './table.js';
import type { ViewsHarness } from './views.contract.js';
import type { GenerationChange, GenerationId, ProjectionShape, Views } from './views.js';

const notes = table({ name: 'part_notes', columns: { bank: 'bank', id: 'text' }, key: ['bank', 'id'] });
const marks = table({ name: 'part_marks', columns: { bank: 'bank', id: 'text' }, key: ['bank', 'id'] });
const noted = { name: 'noted', version: 1, tables: [notes] } as const;
const marked = { name: 'marked', version: 1, tables: [marks] } as const;

/** The shapes that the adapter must be opened with. */
export const partitionedShapes: readonly ProjectionShape[] = [noted, marked];

const systemTime = '2026-03-01T09:00:00.000Z';

function change(
  id: GenerationId,
  partition: number,
  [from, to]: readonly [string | undefined, string],
  rest: { bank?: string; note?: string } & Partial<GenerationChange> = {},
): GenerationChange {
  const { bank = `bank of ${partition}`, note, ...more } = rest;
  const added = note === undefined ? [] : [{ bank, id: note }];
  return {
    id,
    partition,
    from,
    to: { position: to, systemTime },
    numbers: new Map(note === undefined ? [] : [[bank, { seq: 1, docs: 1 }]]),
    tables: [{ table: id.projection === 'noted' ? notes : marks, added, changed: [], appended: [] }],
    setAside: [],
    ...more,
  };
}

const isMoved = (error: unknown): boolean => isHindsightError(error, 'checkpoint_moved');

/** What every adapter of the Views port does that can have several partitions. @param harness opens stores of four */
export function partitionedViewsContract(name: string, harness: ViewsHarness): void {
  describe(`views in partitions: ${name}`, () => {
    let views: Views;
    let other: Views;
    let id: GenerationId;

    const positions = async (of: GenerationId): Promise<(string | undefined)[]> =>
      (await other.checkpoints(of)).map(({ position }) => position);
    const linesOf = async (of: GenerationId): Promise<string[]> => {
      const lines: string[] = [];
      for await (const line of canonicalDump(views, of)) lines.push(line);
      return lines;
    };

    beforeAll(async () => {
      views = await harness.open();
      other = await harness.openAgain();
      id = await views.startGeneration(noted);
    });
    afterAll(async () => {
      await views.close();
      await other.close();
    });

    it('keeps a checkpoint for each, and calls a generation as far as the one that is furthest back', async () => {
      expect(views.partitions).toBe(4);
      expect(await other.checkpoints(id)).toEqual(new Array(4).fill({ position: undefined, systemTime: '' }));
      await views.commit([change(id, 2, [undefined, '05'], { note: 'a' })]);
      expect(await positions(id)).toEqual([undefined, undefined, '05', undefined]);
      expect(await other.generations()).toMatchObject([{ ...id, position: undefined }]);
      await views.commit([0, 1, 3].map((partition) => change(id, partition, [undefined, `0${partition + 6}`])));
      expect(await positions(id)).toEqual(['06', '07', '05', '09']);
      expect(await other.generations()).toMatchObject([{ ...id, position: '05' }]);
    });

    it('lets two projectors of different ones by each other', async () => {
      await Promise.all([
        views.commit([change(id, 0, ['06', '10'], { note: 'b' })]),
        other.commit([change(id, 1, ['07', '10'], { note: 'c' })]),
      ]);
      expect(await positions(id)).toEqual(['10', '10', '05', '09']);
    });

    it('writes nothing of any when one of them has moved', async () => {
      const before = await linesOf(id);
      const late = [change(id, 3, ['09', '11'], { note: 'd' }), change(id, 2, [undefined, '11'], { note: 'e' })];
      await expect(other.commit(late)).rejects.toSatisfy(isMoved);
      expect(await positions(id)).toEqual(['10', '10', '05', '09']);
      expect(await linesOf(id)).toEqual(before);
    });

    it('lets exactly one of two projectors past a checkpoint, whichever others each has in hand', async () => {
      const outcomes = await Promise.allSettled([
        views.commit([change(id, 2, ['05', '12'], { note: 'f' }), change(id, 3, ['09', '12'])]),
        other.commit([change(id, 3, ['09', '12']), change(id, 0, ['10', '12'], { note: 'g' })]),
      ]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await positions(id)).toContain('12');
    });

    it('takes commits in any order of partitions and projections, and none waits for another for ever', async () => {
      const second = await views.startGeneration(marked);
      const at = new Map<string, string | undefined>();
      for (const each of [id, second])
        (await positions(each)).forEach(
          (position, partition) => void at.set(`${each.projection} ${partition}`, position),
        );
      let step = 20;
      for (let round = 0; round < 10; round++) {
        const to = String(step++);
        const all = [id, second].flatMap((each) =>
          [0, 1, 2, 3].map((partition) =>
            change(each, partition, [at.get(`${each.projection} ${partition}`), to], {
              note: to,
              bank: `bank ${to} of ${partition}`,
            }),
          ),
        );
        // Each projector holds one projection's halves, named in opposite orders; their banks are numbered at the same moment.
        await Promise.all([
          views.commit([all[0]!, all[5]!, all[2]!, all[7]!]),
          other.commit([all[6]!, all[3]!, all[4]!, all[1]!]),
        ]);
        for (const key of at.keys()) at.set(key, to);
      }
      expect(await positions(id)).toEqual(new Array(4).fill('29'));
      expect(await positions(second)).toEqual(new Array(4).fill('29'));
    });

    it('switches only to what is behind in none', async () => {
      const next = await views.startGeneration({ ...noted, version: 2 });
      await views.commit([0, 1, 2].map((partition) => change(next, partition, [undefined, '99'])));
      expect(await views.switchTo([next])).toBe(false);
      await views.commit([change(next, 3, [undefined, '28'])]);
      expect(await views.switchTo([next])).toBe(false);
      await views.commit([change(next, 3, ['28', '29'])]);
      expect(await views.switchTo([next])).toBe(true);
      await views.drop([id]);
      await expect(other.commit([change(id, 0, ['29', '30'])])).rejects.toSatisfy(isMoved);
      await expect(other.checkpoints(id)).rejects.toSatisfy(isMoved);
    });

    it('dumps all of them as of one moment, with the checkpoints of that moment', async () => {
      const [generation] = (await views.generations()).filter(({ projection }) => projection === 'marked');
      const dump = await views.dump(generation!);
      await views.commit([change(generation!, 1, ['29', '31'], { note: 'later' })]);
      const found: unknown[] = [];
      for await (const { row } of dump.rows) found.push(row.id);
      expect(dump.checkpoints.map(({ position }) => position)).toEqual(new Array(4).fill('29'));
      expect(found).not.toContain('later');
      expect(await linesOf(generation!)).toHaveLength(found.length + 1);
    });
  });
}
