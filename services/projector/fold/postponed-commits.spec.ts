import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HindsightError } from '#contract/errors.js';
import { table } from '#views/table.js';
import type { GenerationChange, Views } from '#views/views.js';
import { postponedCommits } from './postponed-commits.js';

const rowsTable = table({ name: 'rows', columns: { bank: 'bank', doc: 'integer' }, key: ['bank', 'doc'] });
const blobsTable = table({
  name: 'blobs',
  columns: { bank: 'bank', term: 'hex', bytes: 'blob' },
  key: ['bank', 'term'],
  appended: { blob: 'bytes', by: 'term' },
});

/** A store as far as it matters here: it keeps what is committed in its order, and refuses whoever comes from elsewhere than its checkpoint. */
function store() {
  const positions = new Map<string, string | undefined>();
  const rows: string[] = [];
  const blobs = new Map<string, string>();
  const purged: string[] = [];
  let commits = 0;
  const commit: Views['commit'] = async (changes) => {
    for (const { id } of changes) {
      const first = changes.find((each) => each.id.projection === id.projection)!;
      if (first.from !== positions.get(id.projection)) throw new HindsightError('checkpoint_moved', 'moved');
    }
    commits++;
    for (const { id, to, tables, purges } of changes) {
      positions.set(id.projection, to.position);
      for (const { table: of, added, appended } of tables) {
        for (const { bank, doc } of added) rows.push(`${id.projection} ${of.name} ${bank} ${doc}`);
        for (const { shared, pieces } of appended)
          for (const [term, piece] of pieces) {
            const key = `${id.projection} ${shared.bank} ${term}`;
            blobs.set(key, (blobs.get(key) ?? '') + piece);
          }
      }
      for (const bank of purges?.banks ?? []) purged.push(`${bank} behind ${rows.length}`);
    }
  };
  const views = { partitions: 1, commit } as unknown as Views;
  return { views, positions, rows, blobs, purged, commits: () => commits };
}

interface Batch {
  readonly projection: 'waits' | 'other';
  readonly docs: readonly number[];
  readonly pieces: readonly (readonly [string, string])[];
  readonly purges: boolean;
}

const batch = fc.record<Batch>({
  projection: fc.constantFrom('waits', 'waits', 'waits', 'other'),
  docs: fc.array(fc.nat(9), { maxLength: 3 }),
  pieces: fc.array(fc.tuple(fc.constantFrom('aa', 'bb'), fc.constantFrom('01', '02', '03')), { maxLength: 4 }),
  purges: fc.integer({ max: 9, min: 0 }).map((drawn) => drawn === 0),
});

function changesOf(batches: readonly Batch[]): GenerationChange[] {
  const at = new Map<string, string>();
  return batches.map(({ projection, docs, pieces, purges }, index) => {
    const from = at.get(projection);
    const position = String(index).padStart(4, '0');
    at.set(projection, position);
    const joined = new Map<string, string>();
    for (const [term, piece] of pieces) joined.set(term, (joined.get(term) ?? '') + piece);
    return {
      id: { projection, generation: 2 },
      partition: 0,
      from,
      to: { position, systemTime: '' },
      numbers: new Map([['b1', { seq: index, docs: index }]]),
      tables: [
        { table: rowsTable, added: docs.map((doc) => ({ bank: 'b1', doc })), changed: [], appended: [] },
        { table: blobsTable, added: [], changed: [], appended: [{ shared: { bank: 'b1' }, pieces: joined }] },
      ],
      setAside: [],
      ...(purges ? { purges: { banks: ['b1'], memories: [], steps: [] } } : {}),
    };
  });
}

const some = (count: number): Batch[] =>
  Array.from({ length: count }, () => ({ projection: 'waits', docs: [1], pieces: [['aa', '01']], purges: false }));
const waits = (projection: string) => projection === 'waits';

describe('commits that wait', () => {
  it('leave, once they are flushed, what commits that do not wait leave', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { maxLength: 40 }), async (batches) => {
        const [direct, later] = [store(), store()];
        const postponed = postponedCommits(later.views, waits);
        for (const change of changesOf(batches)) {
          await direct.views.commit([change]);
          await postponed.views.commit([change]);
        }
        await postponed.flush();
        expect(later.positions).toEqual(direct.positions);
        expect(later.blobs).toEqual(direct.blobs);
        const ofEach = ({ rows }: typeof later, name: string) => rows.filter((row) => row.startsWith(name));
        for (const name of ['waits', 'other']) expect(ofEach(later, name)).toEqual(ofEach(direct, name));
        expect(later.purged.length).toBe(direct.purged.length);
        expect(later.commits()).toBeLessThanOrEqual(direct.commits());
      }),
    );
  });

  it('are one for eight batches, and nobody else waits for them', async () => {
    const found = store();
    const postponed = postponedCommits(found.views, waits);
    const changes = changesOf([...some(7), { ...some(1)[0]!, projection: 'other' }, ...some(1)]);
    for (const change of changes.slice(0, 7)) await postponed.views.commit([change]);
    expect(found.commits()).toBe(0);
    await postponed.views.commit([changes[7]!]);
    expect([...found.positions.keys()]).toEqual(['other']);
    await postponed.views.commit([changes[8]!]);
    expect(found.commits()).toBe(2);
    expect(found.blobs.get('waits b1 aa')).toBe('01'.repeat(8));
  });

  it('take rows away behind those that came before', async () => {
    const found = store();
    const postponed = postponedCommits(found.views, waits);
    const changes = changesOf([...some(3), { ...some(1)[0]!, purges: true }]);
    for (const change of changes) await postponed.views.commit([change]);
    expect(found.commits()).toBe(1);
    expect(found.purged).toEqual(['b1 behind 4']);
  });

  it('are forgotten when one is refused: whoever rebuilds goes on from where the store is', async () => {
    const found = store();
    const postponed = postponedCommits(found.views, waits);
    const changes = changesOf([...some(2), { ...some(1)[0]!, projection: 'other' }]);
    for (const change of changes.slice(0, 2)) await postponed.views.commit([change]);
    found.positions.set('other', 'elsewhere');
    await expect(postponed.views.commit([changes[2]!])).rejects.toMatchObject({ code: 'checkpoint_moved' });
    await postponed.flush();
    expect(found.commits()).toBe(0);
    expect(found.rows).toEqual([]);
  });
});
