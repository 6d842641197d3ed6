import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isHindsightError } from '#contract/errors.js';
import { canonicalDump } from './canonical-dump.js';
import { type Row, table } from './table.js';
import type { GenerationChange, GenerationId, ProjectionShape, TableChange, Views } from './views.js';

const notes = table({
  name: 'notes',
  columns: { bank: 'bank', id: 'text', term: 'hex?', size: 'real?', done: 'integer?', position: 'position?' },
  key: ['bank', 'id'],
  indexes: [{ columns: ['bank', 'term'], whereSet: 'term' }],
});
const steps = table({
  name: 'steps',
  columns: { bank: 'bank', id: 'text', step: 'integer', done: 'integer?' },
  key: ['bank', 'id', 'step'],
  group: { by: ['bank', 'id'], whereUnset: 'done' },
});
const strips = table({
  name: 'strips',
  columns: { bank: 'bank', term: 'hex', bytes: 'blob' },
  key: ['bank', 'term'],
  appended: { blob: 'bytes', by: 'term' },
  wide: true,
});
const shape = { name: 'sample', version: 1, tables: [notes, steps, strips] } as const;

/** The shapes that the adapter must be opened with. */
export const contractShapes: readonly ProjectionShape[] = [shape];

export interface ViewsHarness {
  /** A store that holds nothing yet. */
  open(): Promise<Views>;
  /** The store opened last, once more, as another process would. */
  openAgain(): Promise<Views>;
}

function change(id: GenerationId, from: string | undefined, to: string, rest: Partial<GenerationChange> = {}) {
  return {
    id,
    partition: 0,
    from,
    to: { position: to, systemTime: '2026-03-01T09:00:00.000Z' },
    numbers: new Map(),
    tables: [],
    setAside: [],
    ...rest,
  } satisfies GenerationChange;
}

function rowsOf(of: TableChange['table'], rows: Partial<Omit<TableChange, 'table'>>): TableChange {
  return { table: of, added: [], changed: [], appended: [], ...rows };
}

function note(bank: string, id: string, rest: Row = {}): Row {
  return { bank, id, term: null, size: null, done: null, position: null, ...rest };
}

async function linesOf(views: Views, id: GenerationId): Promise<unknown[]> {
  const lines: unknown[] = [];
  for await (const line of canonicalDump(views, id)) lines.push(JSON.parse(line));
  return lines;
}

/** What every adapter of the Views port does, whatever it stands on. */
export function viewsContract(name: string, harness: ViewsHarness): void {
  describe(`views: ${name}`, () => {
    let views: Views;
    let other: Views;
    let id: GenerationId;

    beforeAll(async () => {
      views = await harness.open();
      other = await harness.openAgain();
      id = await views.startGeneration(shape);
    });
    afterAll(async () => {
      await views.close();
      await other.close();
    });

    it('puts the first generation of a projection in use at once', async () => {
      expect(await other.generations()).toMatchObject([
        { projection: 'sample', version: 1, active: true, position: undefined, systemTime: '' },
      ]);
    });

    it('gives no number of a generation out twice: who followed the one that was lost does not write into the next', async () => {
      const inHand = change(id, undefined, '01', { numbers: new Map([['b1', { seq: 3, docs: 2 }]]) });
      await views.drop(await views.generations());
      const next = await other.startGeneration(shape);
      expect(next.generation).not.toBe(id.generation);
      await expect(views.commit([inHand])).rejects.toMatchObject({ code: 'checkpoint_moved' });
      expect(await other.numbersOf(next, ['b1'])).toEqual(new Map());
      id = next;
    });

    it('commits rows, numbers and checkpoint together, for every process to see', async () => {
      await views.commit([
        change(id, undefined, '01', {
          numbers: new Map([['b1', { seq: 3, docs: 2 }]]),
          tables: [rowsOf(notes, { added: [note('b1', 'n1', { term: '00ff', size: 0.5, position: '01' })] })],
        }),
      ]);
      const rows = await other.load(id, [
        { table: notes, group: ['b1', 'n1'] },
        { table: notes, group: ['b2', 'n1'] },
      ]);
      expect(rows).toEqual([[note('b1', 'n1', { term: '00ff', size: 0.5, position: '01' })], []]);
      expect(await other.numbersOf(id, ['b1', 'b2'])).toEqual(new Map([['b1', { seq: 3, docs: 2 }]]));
      expect(await other.checkpoints(id)).toEqual([{ position: '01', systemTime: '2026-03-01T09:00:00.000Z' }]);
      expect((await other.generations())[0]).toMatchObject({ position: '01' });
    });

    it('gives a lease to one holder at a time, until it is given up or lapses', async () => {
      expect(await views.lease('work', 'first', 60_000)).toBe(true);
      expect(await other.lease('work', 'second', 60_000)).toBe(false);
      expect(await other.lease('other work', 'second', 60_000)).toBe(true);
      await other.release('work', 'second');
      expect(await other.lease('work', 'second', 60_000)).toBe(false);
      expect(await views.lease('work', 'first', 1)).toBe(true);
      await expect.poll(() => other.lease('work', 'second', 60_000)).toBe(true);
      expect(await views.lease('work', 'first', 60_000)).toBe(false);
      await other.release('work', 'second');
      expect(await views.lease('work', 'first', 60_000)).toBe(true);
    });

    it('writes nothing when the checkpoint is not where its projector left it', async () => {
      const late = change(id, undefined, '02', {
        tables: [rowsOf(notes, { added: [note('b9', 'late')] })],
      });
      await expect(other.commit([late])).rejects.toSatisfy((error) => isHindsightError(error, 'checkpoint_moved'));
      expect(await views.load(id, [{ table: notes, group: ['b9', 'late'] }])).toEqual([[]]);
    });

    it('lets exactly one of two projectors past the same checkpoint', async () => {
      const outcomes = await Promise.allSettled(
        [views, other].map((each, index) =>
          each.commit([change(id, '01', '02', { tables: [rowsOf(notes, { added: [note('b1', `racer ${index}`)] })] })]),
        ),
      );
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    });

    it('replaces changed rows, and leaves out of a group what is finished', async () => {
      const step = (number: number, done: number | null): Row => ({ bank: 'b1', id: 's', step: number, done });
      await views.commit([
        change(id, '02', '03', { tables: [rowsOf(steps, { changed: [step(2, null), step(1, null), step(3, null)] })] }),
      ]);
      await views.commit([change(id, '03', '04', { tables: [rowsOf(steps, { changed: [step(2, 7)] })] })]);
      expect(await views.load(id, [{ table: steps, group: ['b1', 's'] }])).toEqual([[step(1, null), step(3, null)]]);
    });

    it('appends to blobs byte by byte', async () => {
      const appended = (bank: string, ...pieces: [string, string][]) =>
        rowsOf(strips, { appended: [{ shared: { bank }, pieces: new Map(pieces) }] });
      await views.commit([
        change(id, '04', '05', {
          tables: [appended('b1', ['bb', '01'], ['aa', '00ff80']), appended('b2', ['aa', '02'])],
        }),
      ]);
      await views.commit([change(id, '05', '06', { tables: [appended('b1', ['aa', '0000c8'])] })]);
      const groups = [
        ['b1', 'aa'],
        ['b1', 'bb'],
        ['b2', 'aa'],
      ];
      const rows = await views.load(
        id,
        groups.map((group) => ({ table: strips, group })),
      );
      expect(rows.map(([strip]) => [...(strip!.bytes as Uint8Array)])).toEqual([[0, 255, 128, 0, 0, 200], [1], [2]]);
    });

    it('keeps dead letters with the generation', async () => {
      const letter = { position: '07', stream: 's', eventId: 'e', type: 'T', reason: 'r', at: 't' };
      await views.commit([change(id, '06', '07', { setAside: [letter] })]);
      expect(await other.deadLetters(id)).toEqual([letter]);
    });

    it('dumps in key order, whatever order the banks came in', async () => {
      await views.commit([
        change(id, '07', '08', {
          tables: [rowsOf(notes, { added: [note('a0', 'z', { position: '8' }), note('a0', 'y', { position: '7' })] })],
        }),
      ]);
      const lines = await linesOf(views, id);
      expect(lines.slice(0, 3)).toEqual([
        ['notes', 'a0', 'y', null, null, null, 1],
        ['notes', 'a0', 'z', null, null, null, 2],
        ['notes', 'b1', 'n1', '00ff', 0.5, null, 1],
      ]);
      expect(lines).toContainEqual(['strips', 'b1', 'aa', Buffer.of(0, 255, 128, 0, 0, 200).toString('base64')]);
    });

    it('changes its stamp for every process when a generation is made or switched, not with commits', async () => {
      const before = [await views.stamp(), await other.stamp()];
      await views.commit([change(id, '08', '09')]);
      expect([await views.stamp(), await other.stamp()]).toEqual(before);
      await views.startGeneration(shape);
      expect(await views.stamp()).not.toBe(before[0]);
      expect(await other.stamp()).not.toBe(before[1]);
    });

    it('goes on with the generation that is being built, and switches only when it has come as far', async () => {
      const next = await other.startGeneration(shape);
      expect(next).toEqual(await views.startGeneration(shape));
      expect(await views.switchTo([next])).toBe(false);
      await other.commit([change(next, undefined, '09')]);
      expect(await views.switchTo([next])).toBe(true);
      await views.drop([id]);
      expect(await other.generations()).toMatchObject([{ ...next, active: true }]);
      expect(await other.deadLetters(id)).toEqual([]);
      await expect(other.commit([change(id, '09', '10')])).rejects.toSatisfy((error) =>
        isHindsightError(error, 'checkpoint_moved'),
      );
    });

    it('builds a newer version beside an older one, and leaves a newer one alone', async () => {
      const newer = { ...shape, version: 2 };
      const next = await views.startGeneration(newer);
      expect((await views.generations()).filter(({ active }) => active)).toMatchObject([{ version: 1 }]);
      await views.commit([change(next, undefined, '09')]);
      await views.switchTo([next]);
      await expect(other.startGeneration(shape)).rejects.toSatisfy((error) => isHindsightError(error, 'newer_format'));
    });
  });
}
