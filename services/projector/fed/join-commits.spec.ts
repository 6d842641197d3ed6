import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HindsightError } from '#contract/errors.js';
import type { Row, Table } from '#views/table.js';
import type { GenerationChange, Views } from '#views/views.js';
import { joinCommits, joinedViews } from './join-commits.js';

const table: Table = { name: 'things', columns: { bank: 'bank', number: 'integer' }, key: ['bank', 'number'] };

function change(projection: string, partition: number, more: { rows?: number; to?: string } = {}): GenerationChange {
  const added = Array.from({ length: more.rows ?? 1 }, (_, number): Row => ({ bank: 'b', number }));
  return {
    id: { projection, generation: 1 },
    partition,
    from: undefined,
    to: { position: more.to ?? '01', systemTime: '' },
    numbers: new Map(),
    tables: [{ table, added, changed: [], appended: [] }],
    setAside: [],
  };
}

const named = ({ id, partition, to }: GenerationChange) => `${id.projection} ${partition} ${to.position}`;

/** A store that writes down each transaction, and refuses those in which one of these is. */
function store(refuses: (change: GenerationChange) => unknown = () => undefined, ms = 0) {
  const tried: string[][] = [];
  const committed: string[] = [];
  let running = 0;
  let most = 0;
  const commit = async (changes: readonly GenerationChange[]) => {
    tried.push(changes.map(named));
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, ms));
    running -= 1;
    for (const each of changes) {
      const error = refuses(each);
      if (error !== undefined) throw error;
    }
    committed.push(...changes.map(named));
  };
  return { commit: joinCommits(commit), tried, committed, most: () => most };
}

/** Of one partition of a projection in their order: sorting keeps it. */
const byPlace = (one: string, other: string) => {
  const [a, b] = [one, other].map((each) => each.slice(0, each.lastIndexOf(' ')));
  return a! < b! ? -1 : a! > b! ? 1 : 0;
};

const moved = () => new HindsightError('checkpoint_moved', 'Another was faster.');

describe('joined commits', () => {
  it('write what comes at the same moment in one transaction, whoever it comes from, in one order', async () => {
    const { commit, tried } = store();
    await Promise.all([commit([change('b', 1)]), commit([change('a', 2), change('a', 1)]), commit([change('b', 0)])]);
    expect(tried).toEqual([['a 1 01', 'a 2 01', 'b 0 01', 'b 1 01']]);
  });

  it('gather what comes while one is under way', async () => {
    const { commit, tried, most } = store(undefined, 20);
    const first = commit([change('a', 0)]);
    await new Promise((resolve) => setTimeout(resolve, 12));
    await Promise.all([first, commit([change('a', 1)]), commit([change('b', 0)])]);
    expect(tried).toEqual([['a 0 01'], ['a 1 01', 'b 0 01']]);
    expect(most()).toBe(1);
  });

  it('fail for the one that cannot be written, and for no other', async () => {
    const { commit, committed } = store((each) => (each.partition === 1 ? moved() : undefined));
    const results = await Promise.allSettled([0, 1, 2].map((partition) => commit([change('a', partition)])));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(committed.sort()).toEqual(['a 0 01', 'a 2 01']);
  });

  it('are not tried one by one where nothing can be reached', async () => {
    const { commit, tried } = store(() => new HindsightError('unreachable', 'No server.'));
    const results = await Promise.allSettled([commit([change('a', 0)]), commit([change('b', 0)])]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(tried).toHaveLength(1);
  });

  it('leave what takes rows away to a transaction of its own', async () => {
    const { commit, tried } = store();
    const purging = { ...change('a', 0), purges: { banks: ['b'], memories: [], steps: [] } };
    await Promise.all([commit([change('a', 1)]), commit([purging]), commit([change('a', 2)])]);
    expect(tried).toEqual([['a 0 01'], ['a 1 01', 'a 2 01']]);
  });

  it('begin a second transaction where much waits, and no third', async () => {
    const { commit, tried, most } = store(undefined, 30);
    await Promise.all([0, 1, 2, 3].map((partition) => commit([change('a', partition, { rows: 9_000 })])));
    expect(tried).toHaveLength(4);
    expect(most()).toBe(2);
  });

  it('settle each as it was committed, in the order in which a partition’s came', async () => {
    const one = fc.record({
      projection: fc.constantFrom('a', 'b', 'c'),
      partition: fc.nat(3),
      rows: fc.constantFrom(1, 4_000, 9_999, 20_000),
      isRefused: fc.boolean(),
      after: fc.nat(6),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(one, { maxLength: 25 }), async (asked) => {
        const refused = new Set(asked.flatMap(({ isRefused }, index) => (isRefused ? [String(index)] : [])));
        const { commit, committed } = store(({ to }) => (refused.has(to.position!) ? moved() : undefined), 1);
        const arrived: string[] = [];
        const results = await Promise.allSettled(
          asked.map(async ({ projection, partition, rows, after }, index) => {
            await new Promise((resolve) => setTimeout(resolve, after));
            arrived.push(named(change(projection, partition, { to: String(index) })));
            await commit([change(projection, partition, { rows, to: String(index) })]);
          }),
        );
        const settled = results.flatMap(({ status }, index) => (status === 'fulfilled' ? [String(index)] : []));
        expect(settled).toEqual(asked.flatMap((_, index) => (refused.has(String(index)) ? [] : [String(index)])));
        const placed = (all: readonly string[]) =>
          all.filter((each) => settled.includes(each.split(' ')[2]!)).toSorted((one, other) => byPlace(one, other));
        expect(placed(committed)).toEqual(placed(arrived));
      }),
      { numRuns: 40 },
    );
  });

  it('stand in for the commits of views alone, which are read a few times at once', async () => {
    let reading = 0;
    let most = 0;
    const seen: number[] = [];
    const views: Pick<Views, 'partitions' | 'load' | 'commit'> = {
      partitions: 8,
      async load(_id, requests) {
        most = Math.max(most, ++reading);
        await new Promise((resolve) => setTimeout(resolve, 2));
        reading -= 1;
        return requests.map(() => []);
      },
      commit: async (changes) => void seen.push(changes.length),
    };
    const joined = joinedViews(views as Views);
    const { id } = change('a', 0);
    await Promise.all(Array.from({ length: 20 }, () => joined.load(id, [])));
    await Promise.all([joined.commit([change('a', 0)]), joined.commit([change('a', 1)])]);
    expect({ partitions: joined.partitions, most, seen }).toEqual({ partitions: 8, most: 6, seen: [2] });
  });
});
