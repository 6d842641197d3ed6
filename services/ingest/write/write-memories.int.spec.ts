import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeBasis } from '#contract/basis.js';
import { type IngestHome, ingestHome, sources } from '../test-support/ingest-home.js';

let home: IngestHome;
beforeEach(async () => {
  home = await ingestHome();
});
afterEach(() => home.remove());

const code = (expected: string) => expect.objectContaining({ code: expected });

describe('writing', () => {
  it('stores what was written exactly, sealed, with where it came from', async () => {
    const { commands, caller, events, ledger } = await home.process();
    const odd = 'NUL \0, half \ud83d, العربية, 👩‍👩‍👧, \u2028 and "quotes"';
    const written = await commands.write(
      {
        content: odd,
        tags: ['a', 'a', 'b'],
        metadata: { z: odd, a: [1, null] },
        session_id: 's',
        step: 3,
        subjects: [' ADA ', 'ada'],
      },
      caller,
    );
    expect(written).toMatchObject({ status: 'stored', version: 1 });
    const { envelope, event } = (await events()).at(-1)!;
    expect(envelope).toMatchObject({
      principal: 'os:ada',
      agent: 'spec',
      tool: 'memory_write',
      session: 's',
      step: '3',
      trust: 0.8,
    });
    expect(envelope.subjects).toHaveLength(1);
    expect(event).toMatchObject({
      type: 'MemoryRecorded',
      data: { memoryId: written.memory_id, kind: 'semantic', origin: 'agent' },
    });
    const content = event.content as { content: string; metadata: string; tags: string[] };
    expect(JSON.parse(content.content)).toBe(odd);
    expect(JSON.parse(content.metadata)).toEqual({ z: odd, a: [1, null] });
    expect(content.tags).toEqual(['a', 'b']);
    for await (const stored of ledger.readAll()) expect(Buffer.from(stored.bytes).toString()).not.toContain('quotes');
  });

  it('gives a basis at the event just stored', async () => {
    const { commands, caller, ledger } = await home.process();
    const { basis } = await commands.write({ content: 'x' }, caller);
    const decoded = decodeBasis(basis!, { ledger: ledger.id, bank: caller.bank });
    let last: { position: string; hash: Uint8Array } | undefined;
    for await (const stored of ledger.readAll({ direction: 'backward', limit: 1 })) last = stored;
    expect(decoded).toMatchObject({
      position: last!.position,
      hash: Buffer.from(last!.hash).toString('base64url'),
      recipe: 'r1',
    });
  });

  it('makes one memory of a slot, a step or a request, and versions of it', async () => {
    const { commands, caller } = await home.process();
    for (const same of [{ key: 'db' }, { session_id: 's', step: 1, action: 'deploy' }]) {
      const first = await commands.write({ content: 'one', ...same }, caller);
      expect(await commands.write({ content: 'one', ...same }, caller)).toMatchObject({
        memory_id: first.memory_id,
        version: 1,
        status: 'unchanged',
      });
      expect(await commands.write({ content: 'two', ...same }, caller)).toMatchObject({
        memory_id: first.memory_id,
        version: 2,
        status: 'stored',
        superseded: 1,
      });
    }
  });

  it('seals all versions of a memory with its one secret', async () => {
    const { commands, caller, events } = await home.process();
    await commands.write({ content: 'one', key: 'db' }, caller);
    await commands.write({ content: 'two', key: 'db' }, caller);
    const boxes = (await events())
      .filter(({ event }) => event.type !== 'BankCreated')
      .map(({ envelope }) => envelope.box!);
    expect(boxes[0]!.k).toBe(boxes[1]!.k);
    expect(boxes[0]!.n).not.toBe(boxes[1]!.n);
  });

  it('revises by id, refuses an unknown id and another key', async () => {
    const { commands, caller } = await home.process();
    const { memory_id } = await commands.write({ content: 'one', key: 'db' }, caller);
    expect(await commands.write({ content: 'two', memory_id }, caller)).toMatchObject({ memory_id, version: 2 });
    expect(await commands.write({ content: 'two', key: 'db' }, caller)).toMatchObject({
      memory_id,
      status: 'unchanged',
    });
    await expect(commands.write({ content: 'x', memory_id, key: 'other' }, caller)).rejects.toThrow(
      code('natural_key_fixed'),
    );
    await expect(commands.write({ content: 'x', memory_id: sources.uuid() }, caller)).rejects.toThrow(
      code('memory_not_found'),
    );
  });

  it('carries the people of what a memory is derived from', async () => {
    const { commands, caller, events } = await home.process();
    const source = await commands.write({ content: 'Ada likes tea', subjects: ['Ada'] }, caller);
    await commands.write(
      { content: 'Someone likes tea', derived_from: [source.memory_id!], subjects: ['Bob'] },
      caller,
    );
    expect((await events()).at(-1)!.event.content).toMatchObject({ subjects: ['Bob', 'Ada'] });
    await expect(commands.write({ content: 'x', derived_from: ['nope'] }, caller)).rejects.toThrow(
      code('memory_not_found'),
    );
  });

  it.each([
    [{ content: '' }, 'invalid_input', 'content is empty'],
    [{ content: ' \n ' }, 'invalid_input', 'content is empty'],
    [{ content: {} }, 'invalid_input', 'content is empty'],
    [{ content: '多'.repeat(21846) }, 'too_large', 'content has 65538 bytes of UTF-8; at most 65536 (64 KiB)'],
    [{ content: 'x', metadata: { a: 'x'.repeat(16384) } }, 'too_large', 'metadata has 16392 bytes'],
    [
      { content: 'x', tags: Array(65).fill('t') },
      'too_many',
      'tags is a list of 65 entries, but takes a list of at most 64',
    ],
    [{ content: 'x', valid_from: '2026-02-30' }, 'invalid_time', 'valid_from is "2026-02-30"'],
    [{ content: 'x', valid_from: '2026-03-01', valid_to: '2026-03-01' }, 'invalid_time', 'valid_to is "2026-03-01"'],
    [{ content: 'x', valid_to: '2020-01-01' }, 'invalid_time', 'valid_to is "2020-01-01"'],
    [{ content: 'x', ttl: 'soon' }, 'invalid_input', 'ttl is "soon"'],
    [{ content: 'x', key: '\ud800' }, 'invalid_input', 'key holds half of a surrogate pair'],
    [{ content: 'x', colour: 'red' }, 'unknown_parameter', 'colour is no known parameter'],
    [{}, 'invalid_input', 'content is missing'],
    [{ items: [{ content: 'x' }], key: 'k' }, 'invalid_input', 'key cannot stand beside items'],
    [
      { items: Array(501).fill({ content: 'x' }) },
      'too_many',
      'items is a list of 501 entries, but takes a list of 1 to 500',
    ],
    [{ content: JSON.parse(`${'{"a":'.repeat(200)}1${'}'.repeat(200)}`) }, 'invalid_input', 'content is nested deeper'],
  ])('refuses what is no memory and says why (%#)', async (input, expected, message) => {
    const { commands, caller, events } = await home.process();
    await expect(commands.write(input as never, caller)).rejects.toThrow(
      expect.objectContaining({ code: expected, message: expect.stringContaining(message) }),
    );
    expect((await events()).map(({ event }) => event.type)).toEqual(['BankCreated']);
  });

  it('takes the largest content there may be', async () => {
    const { commands, caller } = await home.process();
    for (const content of ['\0'.repeat(65536), '多'.repeat(21845), { a: 'x'.repeat(65500) }])
      expect(await commands.write({ content, metadata: { a: '\ud800'.repeat(2700) } }, caller)).toMatchObject({
        status: 'stored',
      });
  });

  it('needs the role of a writer', async () => {
    const { commands, caller } = await home.process();
    await expect(commands.write({ content: 'x' }, { ...caller, roles: ['reader'] })).rejects.toThrow(code('forbidden'));
  });
});

describe('a batch', () => {
  it('has an outcome per item, in order, and a bad item spoils no other', async () => {
    const { commands, caller } = await home.process();
    const { items, status } = await commands.write(
      {
        items: [
          { content: 'one', key: 'a' },
          { content: '' },
          { content: 'two', key: 'a' },
          { content: 'x', nonsense: 1 },
          { content: 'two', key: 'a' },
          { content: 'three', key: 'a', if_version: 7 },
          { content: 'free' },
        ],
      } as never,
      caller,
    );
    expect(status).toBe('stored');
    expect(items!.map((each) => [each.status, each.version, each.error?.code])).toEqual([
      ['stored', 1, undefined],
      ['error', undefined, 'invalid_input'],
      ['stored', 2, undefined],
      ['error', undefined, 'unknown_parameter'],
      ['unchanged', 2, undefined],
      ['conflict', 2, 'version_conflict'],
      ['stored', 1, undefined],
    ]);
  });

  it('of one memory larger than an append is split', async () => {
    const { commands, caller } = await home.process();
    const items = Array.from({ length: 30 }, (_, index) => ({ content: `${index} ${'x'.repeat(60_000)}`, key: 'big' }));
    const output = await commands.write({ items }, caller);
    expect(output.items!.map((each) => each.version)).toEqual(items.map((_, index) => index + 1));
    expect(await commands.write({ content: 'small', key: 'big' }, caller)).toMatchObject({ version: 31 });
  });
});
