import { describe, expect, it } from 'vitest';
import type { FormatOptions, Imported, ImportFormat } from './imported.js';
import { jsonl } from './jsonl.js';
import { readLines } from './read-lines.js';
import { serverMemory } from './server-memory.js';
import { turns } from './turns.js';

async function* chunks(...parts: (string | Uint8Array)[]) {
  yield* parts;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const each of items) found.push(each);
  return found;
}

async function read(format: ImportFormat, text: string, options: FormatOptions = {}): Promise<Imported[]> {
  return all(format(readLines(chunks(text)), options));
}

const lines = (...records: unknown[]) =>
  records.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join('\n');

describe('lines', () => {
  const linesOf = async (...parts: (string | Uint8Array)[]) => all(readLines(chunks(...parts)));

  it('end at line feeds only, across chunks, and are counted with the blank ones', async () =>
    expect(await linesOf('\uFEFFa\u2028b\r', '\n\n  \nc', 'd')).toEqual([
      { line: 1, text: 'a\u2028b\r' },
      { line: 4, text: 'cd' },
    ]));

  it('keep a character that two chunks share', async () => {
    const bytes = Buffer.from('数据库\n');
    expect(await linesOf(bytes.subarray(0, 4), bytes.subarray(4))).toEqual([{ line: 1, text: '数据库' }]);
  });

  it('that are no UTF-8 or endless are problems, and the rest goes on', async () => {
    expect(await linesOf(Buffer.from([0x22, 0xff, 0x22, 0x0a]), 'b')).toEqual([
      { line: 1, problem: 'The line is not UTF-8.' },
      { line: 2, text: 'b' },
    ]);
    const mebibyte = 'x'.repeat(1024 * 1024);
    expect(await linesOf(...Array(17).fill(mebibyte), '\nb')).toEqual([
      { line: 1, problem: 'The line is longer than 16 MiB.' },
      { line: 2, text: 'b' },
    ]);
  });
});

describe('turns', () => {
  it('become episodic memories that happened at their time, with their extras', async () => {
    const [turn] = await read(
      turns,
      lines({
        id: 'c:1',
        conv_id: 'c',
        session_id: 'c:S1',
        timestamp: '2023-05-08T13:56:00',
        speaker: 'Ada',
        text: 'Hello',
        mood: 'glad',
        none: null,
      }),
      { bankFrom: 'conv_id' },
    );
    expect(turn).toEqual({
      line: 1,
      item: {
        content: 'Ada: Hello',
        kind: 'episodic',
        origin: 'import',
        session_id: 'c:S1',
        occurred_at: '2023-05-08T13:56:00.000Z',
        metadata: { mood: 'glad', conv_id: 'c', speaker: 'Ada' },
      },
      from: { source: 'turns:c', id: 'c:1' },
      bank: 'c',
    });
  });

  it('need neither speaker, nor session, nor time', async () =>
    expect(
      await read(turns, lines({ id: 7, session_id: null, timestamp: null, speaker: null, text: '故宫 周边景点 天坛' })),
    ).toEqual([
      {
        line: 1,
        item: { content: '故宫 周边景点 天坛', kind: 'episodic', origin: 'import' },
        from: { source: 'turns', id: '7' },
      },
    ]));

  it('with a time that is none are imported without, and it is noted', async () => {
    const [turn] = await read(turns, lines({ id: '1', text: 'x', timestamp: '1:56 pm on 8 May' }));
    expect(turn).toMatchObject({
      note: expect.stringMatching(/^Imported without its time: timestamp is "1:56 pm on 8 May"/),
    });
    expect(turn).not.toHaveProperty('item.occurred_at');
  });

  it('keep as much of their extras as a memory takes', async () => {
    const [turn] = await read(turns, lines({ id: '1', text: 'x', huge: 'h'.repeat(20_000), small: 's' }));
    expect(turn).toMatchObject({ item: { metadata: { small: 's' } }, note: 'Too large for metadata, left out: huge.' });
  });

  it('that are no JSON are told where', async () =>
    expect(await read(turns, '{"id": 1,}\nhello')).toEqual([
      { line: 1, problem: expect.stringMatching(/^The line is no JSON: .* at character 10\. /) },
      { line: 2, problem: expect.stringMatching(/^The line is no JSON: Unexpected token .*hello/) },
    ]));

  it('that are broken are problems of their lines', async () =>
    expect(
      await read(turns, lines('{"id":', '[]', { text: 'x' }, { id: '1' }, { id: '1', text: 'x' }), {
        bankFrom: 'conv_id',
      }),
    ).toEqual([
      {
        line: 1,
        problem: expect.stringMatching(
          /^The line is no JSON: .*\. Each line is one JSON object: \{"name": "value", …\}\.$/,
        ),
      },
      {
        line: 2,
        problem: 'The line is JSON, but no object. Each line is one JSON object: {"name": "value", …}.',
      },
      { line: 3, problem: 'The record has no id.' },
      { line: 4, problem: 'The record has no text.' },
      { line: 5, problem: 'The record has no conv_id, which should name its bank.' },
    ]));
});

describe('jsonl', () => {
  it('keeps when another ledger recorded a memory in its metadata, the first one where there were several', async () => {
    const at = '2026-01-01T00:00:00.000Z';
    const found = await read(
      jsonl,
      lines(
        { id: 'a', content: 'x', source_recorded_at: at },
        { id: 'b', content: 'x', source_recorded_at: at, metadata: { mood: 'glad' } },
        { id: 'c', content: 'x', source_recorded_at: at, metadata: { source_recorded_at: 'earlier' } },
      ),
    );
    expect(found.map((each) => 'item' in each && each.item.metadata)).toEqual([
      { source_recorded_at: at },
      { source_recorded_at: at, mood: 'glad' },
      { source_recorded_at: 'earlier' },
    ]);
    expect(found.every((each) => 'item' in each && !('source_recorded_at' in each.item))).toBe(true);
  });

  it('says why a memory is not served, and refuses a reason that is none', async () => {
    const archived = { id: 'a', reason: 'old', as: 'archived' };
    const other = { forget: { id: 'a', reason: 'old', as: 'gone' } };
    expect(await read(jsonl, lines({ forget: archived }, other))).toEqual([
      { line: 1, forget: archived },
      { line: 2, problem: expect.stringContaining('"gone". Accepted: retracted, archived, quarantined, rejected') },
    ]);
  });

  it('has the fields of a write, an id and forgets', async () =>
    expect(
      await read(
        jsonl,
        lines({ id: 'a', content: 'x', key: 'k' }, { forget: { id: 'a', reason: 'typo' } }, { forget: {} }),
      ),
    ).toEqual([
      { line: 1, item: { content: 'x', key: 'k' }, from: { source: 'jsonl', id: 'a' } },
      { line: 2, forget: { id: 'a', reason: 'typo' } },
      { line: 3, problem: expect.stringContaining('forget has no id') },
    ]));

  it('without ids tells equal records by what they say', async () => {
    const [one, two, three] = await read(jsonl, lines({ content: 'x' }, { content: 'x' }, { content: 'y' }));
    const id = (each?: Imported) => each && 'from' in each && each.from.id;
    expect(id(one)).toBe(id(two));
    expect(id(one)).not.toBe(id(three));
  });

  it('takes the bank out of a record, unless the field is a memory’s too', async () =>
    expect(await read(jsonl, lines({ id: 1, content: 'x', team: 't' }), { bankFrom: 'team' })).toEqual([
      { line: 1, item: { content: 'x' }, from: { source: 'jsonl', id: '1' }, bank: 't' },
    ]));
});

describe('server-memory', () => {
  const entity = {
    name: 'Ada',
    entityType: 'person',
    observations: ['likes tea', { text: 'has a cat', timestamp: '2025-05-06T14:09:36.202Z' }],
  };
  const relation = { from: 'Ada', to: 'Lantern', relationType: 'works_on' };
  const expected = [
    { content: 'Ada (person): likes tea', tags: ['Ada'], metadata: { entity: 'Ada', entity_type: 'person' } },
    { content: 'Ada (person): has a cat', occurred_at: '2025-05-06T14:09:36.202Z' },
    { content: 'Ada works on Lantern', tags: ['Ada', 'Lantern'], metadata: { relation: 'works_on' } },
  ];
  const items = (imported: Imported[]) => imported.map((each) => ('item' in each ? each.item : each));

  it.each([
    ['JSON lines', lines({ type: 'entity', ...entity }, { type: 'relation', ...relation })],
    [
      'JSON lines of another spelling',
      lines({ ...entity, _type: 'entity', _savedAt: 'x' }, { ...relation, _type: 'relation' }),
    ],
    ['one JSON text', JSON.stringify({ entities: [entity], relations: [relation] }, null, 2)],
    ['one line', JSON.stringify({ entities: [entity], relations: [relation] })],
    ['a list', JSON.stringify([entity, relation], null, 2)],
  ])('as %s becomes a memory per observation and a sentence per relation', async (_how, text) => {
    const imported = await read(serverMemory, text);
    expect(items(imported)).toMatchObject(expected);
    const ids = imported.map((each) => 'from' in each && each.from.id);
    expect(new Set(ids).size).toBe(3);
  });

  it('keeps entities without observations and observations without entities', async () =>
    expect(
      items(
        await read(
          serverMemory,
          lines({ name: 'Bob', entityType: 'person', observations: [] }, { text: 'stray', timestamp: 'x' }),
        ),
      ),
    ).toMatchObject([{ content: 'Bob (person)' }, { content: 'stray' }]));

  it('tells what it cannot read', async () => {
    expect(await read(serverMemory, lines(entity, { colour: 'red' }, 'broken'))).toMatchObject([
      {},
      {},
      { line: 2, problem: expect.stringContaining('neither an entity') },
      { line: 3, problem: expect.stringMatching(/^The line is no JSON: /) },
    ]);
    expect(await read(serverMemory, '{ "entities": [')).toMatchObject([
      { problem: expect.stringContaining('neither JSON lines') },
    ]);
  });
});
