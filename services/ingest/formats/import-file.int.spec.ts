import { afterEach, beforeEach, expect, it } from 'vitest';
import { type IngestHome, ingestHome } from '../test-support/ingest-home.js';
import { importFile } from './import-file.js';

let home: IngestHome;
beforeEach(async () => {
  home = await ingestHome();
});
afterEach(() => home.remove());

async function* file(...records: unknown[]) {
  for (const each of records) yield `${typeof each === 'string' ? each : JSON.stringify(each)}\n`;
}

const records = [
  { id: '1', key: 'db', content: 'MySQL', occurred_at: '2026-01-01' },
  { id: '2', content: 'a private number' },
  { id: '3', content: 'x'.repeat(70_000) },
  '{"id": "4", "content": ',
  { id: '5', key: 'db', content: 'PostgreSQL', valid_from: '2026-02-30' },
  { id: '6', key: 'db', content: 'PostgreSQL', valid_from: '2026-02-28' },
  { forget: { id: '2', reason: 'asked to' } },
  { forget: { id: 'nobody', reason: 'r' } },
];

it('goes on after what is broken and tells it by its line', async () => {
  const { commands, caller, events } = await home.process();
  const summary = await importFile(file(...records), 'jsonl', commands, caller);
  expect(summary).toMatchObject({ read: 8, stored: 3, unchanged: 0, forgotten: 1, failed: 4, stopped: false });
  expect(summary.problems.map(({ line, message }) => [line, message.slice(0, 30)])).toEqual([
    [3, 'content has 70000 bytes of UTF'],
    [4, 'The line is no JSON: Unexpecte'],
    [5, 'valid_from is "2026-02-30", wh'],
    [8, 'forget "nobody": No record bef'],
  ]);
  expect((await events()).map(({ event }) => event.type)).toEqual([
    'BankCreated',
    'MemoryRecorded',
    'MemoryRevised',
    'MemoryRecorded',
    'MemoryForgotten',
  ]);
});

it('again doubles nothing, brings back nothing and reverts nothing; what changed at the source is written', async () => {
  const { commands, caller, events } = await home.process();
  await importFile(file(...records), 'jsonl', commands, caller);
  await commands.write({ content: 'SQLite', key: 'db' }, caller);
  const before = (await events()).length;
  const again = await importFile(file(...records), 'jsonl', commands, caller);
  expect(again).toMatchObject({ stored: 0, unchanged: 4, forgotten: 0, failed: 4 });
  expect(await events()).toHaveLength(before);
  const changed = await importFile(file({ ...(records[0] as object), content: 'MariaDB' }), 'jsonl', commands, caller);
  expect(changed).toMatchObject({ stored: 1 });
});

it('takes an id that stands in a file more than once for later versions, and again doubles nothing', async () => {
  const { commands, caller } = await home.process();
  const versions = ['a', 'b', 'a'].map((content) => ({ id: '1', content }));
  const once = () => importFile(file(...versions), 'jsonl', commands, caller);
  expect(await once()).toMatchObject({ stored: 3, unchanged: 0 });
  expect(await once()).toMatchObject({ stored: 0, unchanged: 3 });
  const back = await importFile(file({ id: '1', content: 'b' }), 'jsonl', commands, caller);
  expect(back).toMatchObject({ stored: 1 });
});

it('makes each bank that its records name, and keeps the source’s ids and times', async () => {
  const { commands, caller, events } = await home.process();
  const turn = (conv_id: string, id: string) => ({ id, conv_id, text: `turn ${id}`, timestamp: '2023-05-08' });
  const all = ['a', 'b'].flatMap((conv) => Array.from({ length: 300 }, (_, index) => turn(conv, `${conv}:${index}`)));
  const progress: number[] = [];
  const summary = await importFile(file(...all, { ...turn('', 'x') }), 'turns', commands, caller, {
    bankFrom: 'conv_id',
    onProgress: ({ stored }) => progress.push(stored),
  });
  expect(summary).toMatchObject({ read: 601, stored: 600, failed: 1, banks: ['a', 'b'] });
  expect(progress).toEqual([500, 600]);
  const last = (await events()).at(-1)!;
  expect(last.envelope.bank).toBe(await commands.bankNamed('b'));
  expect(last.event).toMatchObject({
    data: { occurredAt: '2023-05-08T00:00:00.000Z', origin: 'import', kind: 'episodic' },
    content: { externalSource: 'turns:b', externalId: 'b:299' },
  });
  expect(Date.parse(last.envelope.recordedAt)).toBeGreaterThan(Date.parse('2026-01-01'));
});

it('stops when it is told to, with all that was read stored', async () => {
  const { commands, caller } = await home.process();
  const stop = new AbortController();
  async function* endless() {
    for (let id = 0; ; id++) {
      if (id === 700) stop.abort();
      yield `${JSON.stringify({ id, text: 'x' })}\n`;
    }
  }
  const summary = await importFile(endless(), 'turns', commands, caller, { signal: stop.signal });
  expect(summary).toMatchObject({ stopped: true, stored: 700 });
});

it('stops where every later line would fail too', async () => {
  const { commands, caller } = await home.process();
  const full = {
    ...commands,
    importItems: async (items: readonly unknown[]) => ({
      status: 'error' as const,
      items: items.map(() => ({
        status: 'error' as const,
        error: { code: 'disk_full', message: 'The disk is full.' },
      })),
    }),
  };
  await expect(importFile(file({ id: 1, text: 'x' }), 'turns', full, caller)).rejects.toThrow(
    expect.objectContaining({ code: 'disk_full', details: { line: 1 } }),
  );
});
