import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Row, table } from '../table.js';
import { createTable } from './schema.js';
import { createStore, type Store } from './store.js';
import { openViewsFile } from './views-file.js';
import { writeRows } from './write-rows.js';

const things = table({
  name: 'things',
  columns: { bank: 'bank', doc: 'integer', kind: 'text', hash: 'hex?', weight: 'real?', note: 'text?', last: 'text?' },
  key: ['bank', 'doc'],
});
const names = Object.keys(things.columns).join(', ');
const log = { info: () => undefined, warn: () => undefined };
let folder: string;
let store: Store;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hl-rows-'));
  store = createStore(await openViewsFile(join(folder, 'views.db'), 'l1', log));
});
afterEach(() => {
  store.file.close();
  rmSync(folder, { recursive: true });
});

/** Few values, so that neighbours often have some in common and some not; absent is unset. */
const thing = fc.record(
  {
    bank: fc.constantFrom('b1', 'b1', 'b1', 'b2'),
    kind: fc.constantFrom('one', 'one', 'one', 'other'),
    hash: fc.constantFrom(null, 'ab12', 'cd34'),
    weight: fc.constantFrom(null, 0.5),
    note: fc.constantFrom(null, '', 'Ü 数'),
    last: fc.constantFrom('x', 'x', 'x', 'x', 'y'),
  },
  { requiredKeys: ['bank', 'kind'] },
);

it('writes the rows that it is given, in their order, whatever they have in common', () => {
  let generation = 0;
  fc.assert(
    fc.property(fc.array(fc.tuple(thing, fc.integer({ min: 1, max: 40 })), { maxLength: 8 }), (runs) => {
      const rows: Row[] = runs
        .flatMap(([each, times]) => Array.from({ length: times }, () => each))
        .map((each, doc) => ({ ...each, doc }));
      generation++;
      for (const statement of createTable(things, generation)) store.file.db.exec(statement);
      const name = `things_g${generation}`;
      writeRows(store, things, rows, (columns, values) => `INSERT INTO ${name} (${columns}) VALUES ${values}`);
      const found = store.file.db
        .prepare(`SELECT ${names.replace('hash', 'lower(hex(hash)) AS hash')} FROM ${name} ORDER BY doc`)
        .all() as Row[];
      const unset = { hash: null, weight: null, note: null, last: null };
      expect(found.map((row) => ({ ...row }))).toEqual(
        rows.map((row) => ({ ...unset, ...row, bank: store.numberBank(row.bank as string), hash: row.hash ?? '' })),
      );
    }),
    { numRuns: 60 },
  );
});
