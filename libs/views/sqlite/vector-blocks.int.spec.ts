import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Row } from '../table.js';
import { versionsShape, versionsTable } from '../tables/versions.js';
import { vectorShapes } from '../vectors.contract.js';
import { docsPerVectorBlock, type MadeVector } from '../vectors.js';
import type { GenerationChange, GenerationId, Views } from '../views.js';
import { openSqliteViews } from './open-sqlite-views.js';

const log = { info: () => undefined, warn: () => undefined };
const space = { model: 'ab'.repeat(32), dimensions: 8 };
const size = docsPerVectorBlock;
const docs = size * 2 + 10;
const sealed = Uint8Array.of(1, 2, 3);
let folder: string;
let views: Views;
let id: GenerationId;
let at = 0;

const vectorOf = (doc: number): MadeVector => ({
  doc,
  sealed: Uint8Array.of(doc & 0xff, 7),
  ...(doc % 2 ? { before: doc - 1 } : {}),
});
const changes = async () => (await views.reader().vectorState('b1', space)).changes;
const put = async (first: number, since?: number) =>
  views.vectors.blocks!.put('b1', space, { first, sealed }, since ?? (await changes()));
const there = async (): Promise<number[]> => {
  const found: number[] = [];
  for (let from = 0; ; ) {
    const block = await views.reader().vectorBlockFrom!('b1', space, from);
    if (!block) return found;
    found.push(block.first);
    from = block.first + 1;
  }
};
const missing = async () => (await views.vectors.blocks!.missing(space, 9)).map(({ first }) => first);

async function commit(rest: Partial<GenerationChange>): Promise<void> {
  const [checkpoint] = await views.checkpoints(id);
  const to = { position: String(++at).padStart(6, '0'), systemTime: '2026-03-01T09:00:00.000Z' };
  const nothing = { numbers: new Map(), tables: [], setAside: [] };
  await views.commit([{ id, partition: 0, from: checkpoint!.position, to, ...nothing, ...rest }]);
}

const purge = (memoryId: string) =>
  commit({
    purges: { banks: [], memories: [{ bank: 'b1', memoryId, seq: 1e6, doc: 1e6 }], steps: versionsShape.purge },
  });

function version(doc: number): Row {
  const unset = Object.fromEntries(Object.keys(versionsTable.columns).map((column) => [column, null]));
  const time = '2026-03-01T09:00:00.000Z';
  const row = { bank: 'b1', doc, memory_id: `m${doc}`, seq: doc + 1, version: 1, kind: 'semantic', origin: 'user' };
  const told = { happened_at: time, valid_from: time, recorded_at: time, stream: 's', event_id: `e${doc}`, type: 't' };
  return { ...unset, ...row, ...told, schema: 1, principal: 'p', box: '{}' };
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hl-blocks-'));
  views = await openSqliteViews(join(folder, 'views.db'), { ledger: 'l1', shapes: vectorShapes, log });
  id = await views.startGeneration(versionsShape);
  const added = Array.from({ length: docs }, (_, doc) => version(doc));
  await commit({
    numbers: new Map([['b1', { seq: docs, docs }]]),
    tables: [{ table: versionsTable, added, changed: [], appended: [] }],
  });
  await views.vectors.make(space);
  const from = await views.reader().vectorState('b1', space);
  await views.vectors.put('b1', space, { from, rows: added.map((_, doc) => vectorOf(doc)), mark: docs });
});
afterEach(async () => {
  await views.close();
  rmSync(folder, { recursive: true });
});

it('are missing where all below the mark is there, and found in their order', async () => {
  expect(await missing()).toEqual([0, size]);
  await put(size);
  expect([await missing(), await there()]).toEqual([[0], [size]]);
  await put(0);
  expect([await missing(), await there()]).toEqual([[], [0, size]]);
});

it('go with what is purged of their docs, and with what is blanked with it, and wait until that is made anew', async () => {
  await put(0);
  await put(size);
  const before = await changes();
  // Its vector goes; the next one, which it was embedded with, is blanked.
  await purge(`m${size - 2}`);
  expect([await there(), await missing()]).toEqual([[size], []]);
  await expect(put(0, before)).rejects.toMatchObject({ code: 'checkpoint_moved' });
  const from = await views.reader().vectorState('b1', space);
  await views.vectors.put('b1', space, { from, rows: [vectorOf(size - 1)], mark: from.mark });
  expect([await there(), await missing()]).toEqual([[size], [0]]);
});

it('go with a vector that is made anew, with their bank and with their space', async () => {
  await put(0);
  await put(size);
  const from = await views.reader().vectorState('b1', space);
  await views.vectors.put('b1', space, { from, rows: [vectorOf(size + 3)], mark: from.mark });
  expect(await there()).toEqual([0]);
  await views.vectors.drop(space);
  expect(await there()).toEqual([]);
  await expect(put(0)).rejects.toMatchObject({ code: 'checkpoint_moved' });
});
