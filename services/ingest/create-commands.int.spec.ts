import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeBasis } from '#contract/basis.js';
import type { Ledger } from '#ledger/ledger.js';
import { type IngestHome, ingestHome, sources } from './testing/ingest-home.js';

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
    [{ content: 'x', tags: Array(65).fill('t') }, 'too_many', 'tags has 65 entries; at most 64'],
    [{ content: 'x', valid_from: '2026-02-30' }, 'invalid_time', 'valid_from is "2026-02-30"'],
    [{ content: 'x', valid_from: '2026-03-01', valid_to: '2026-03-01' }, 'invalid_time', 'valid_to is "2026-03-01"'],
    [{ content: 'x', valid_to: '2020-01-01' }, 'invalid_time', 'valid_to is "2020-01-01"'],
    [{ content: 'x', ttl: 'soon' }, 'invalid_input', 'ttl is "soon"'],
    [{ content: 'x', key: '\ud800' }, 'invalid_input', 'key holds half of a surrogate pair'],
    [{ content: 'x', colour: 'red' }, 'unknown_parameter', '"colour": no such parameter'],
    [{}, 'invalid_input', 'content is missing'],
    [{ items: [{ content: 'x' }], key: 'k' }, 'invalid_input', 'key cannot stand beside items'],
    [{ items: Array(501).fill({ content: 'x' }) }, 'too_many', 'items has 501 entries; at most 500'],
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

describe('a request that comes again', () => {
  it('is answered as the first time; with other contents it is refused, whatever memory it names', async () => {
    const { commands, caller, events } = await home.process();
    const first = await commands.write({ content: 'one', idempotency_key: 'k' }, caller);
    expect(await commands.write({ content: 'one', idempotency_key: 'k' }, caller)).toMatchObject({
      memory_id: first.memory_id,
      status: 'stored',
      version: 1,
    });
    for (const other of [{ content: 'two' }, { content: 'one', key: 'slot' }])
      await expect(commands.write({ ...other, idempotency_key: 'k' }, caller)).rejects.toThrow(
        code('idempotency_key_reused'),
      );
    const batch = await commands.write(
      {
        items: [
          { content: 'a', key: 'b' },
          { content: 'c', key: 'b', idempotency_key: 'k' },
        ],
      },
      caller,
    );
    expect(batch.items!.map((each) => each.error?.code ?? each.status)).toEqual(['stored', 'idempotency_key_reused']);
    expect((await events()).filter(({ event }) => event.type === 'MemoryRecorded')).toHaveLength(2);
  });

  it('belongs to its principal', async () => {
    const { commands, caller } = await home.process();
    const mine = await commands.write({ content: 'one', idempotency_key: 'k' }, caller);
    const other = await commands.write({ content: 'two', idempotency_key: 'k' }, { ...caller, principal: 'os:bob' });
    expect(other).toMatchObject({ status: 'stored' });
    expect(other.memory_id).not.toBe(mine.memory_id);
  });

  it('after a lost answer, from a fresh process, is answered as the first time would have been', async () => {
    const losing = (ledger: Ledger): Ledger => ({
      ...ledger,
      async append(stream, events, expected) {
        await ledger.append(stream, events, expected);
        if (stream.includes('.memory-')) throw new Error('the connection was lost');
        return { position: '', revision: 0, repeated: false };
      },
    });
    const before = await home.process({ wrap: losing });
    const inputs = [
      { content: 'one', idempotency_key: 'k1' },
      { content: 'two', idempotency_key: 'k2', key: 'slot' },
      { content: 'three', idempotency_key: 'k3', key: 'slot', if_version: 1 },
    ];
    for (const input of inputs) await expect(before.commands.write(input, before.caller)).rejects.toThrow('lost');
    const { commands, caller, events } = await home.process();
    const answers = [];
    for (const input of inputs) answers.push(await commands.write(input, caller));
    expect(answers.map(({ status, version }) => [status, version])).toEqual([
      ['stored', 1],
      ['stored', 1],
      ['stored', 2],
    ]);
    expect((await events()).filter(({ event }) => event.type !== 'BankCreated')).toHaveLength(3);
  });

  it('at the same moment in two processes, with different contents, leaves one of them refused', async () => {
    const [one, two] = [await home.process(), await home.process()];
    const settled = await Promise.allSettled([
      one!.commands.write({ content: 'one', idempotency_key: 'k', key: 'slot' }, one!.caller),
      two!.commands.write({ content: 'two', idempotency_key: 'k', key: 'slot' }, two!.caller),
    ]);
    expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(settled.find((each) => each.status === 'rejected')).toMatchObject({
      reason: { code: 'idempotency_key_reused' },
    });
  });
});

describe('two processes on one home', () => {
  it('make one bank of a name', async () => {
    const [one, two] = [await home.process(), await home.process()];
    const ids = await Promise.all([one!, two!, one!].map(({ commands }) => commands.bankNamed('shared')));
    expect(new Set(ids).size).toBe(1);
    expect(
      (await one!.events()).filter(({ event }) => event.type === 'BankCreated' && event.content.name === 'shared'),
    ).toHaveLength(1);
  });

  it('writing one slot lose nothing: every write is a version', async () => {
    const processes = [await home.process(), await home.process()];
    const writes = processes.flatMap(({ commands, caller }, process) =>
      Array.from({ length: 25 }, (_, index) => commands.write({ content: `${process}-${index}`, key: 'slot' }, caller)),
    );
    const versions = (await Promise.all(writes)).map(({ version }) => version!);
    expect(versions.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  });

  it('with if_version let exactly one pass', async () => {
    const processes = [await home.process(), await home.process()];
    await processes[0]!.commands.write({ content: 'first', key: 'slot' }, processes[0]!.caller);
    const outcomes = await Promise.all(
      processes.flatMap(({ commands, caller }, process) =>
        [1, 2, 3].map((index) =>
          commands.write({ content: `${process}-${index}`, key: 'slot', if_version: 1 }, caller),
        ),
      ),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual([...Array(5).fill('conflict'), 'stored']);
  });

  it('do not take what they remember for what is: a write that would change nothing looks first', async () => {
    const [one, two] = [await home.process(), await home.process()];
    await one!.commands.write({ content: 'MySQL', key: 'db' }, one!.caller);
    await two!.commands.write({ content: 'PostgreSQL', key: 'db' }, two!.caller);
    expect(await one!.commands.write({ content: 'MySQL', key: 'db' }, one!.caller)).toMatchObject({
      status: 'stored',
      version: 3,
    });
  });

  it('keep recorded times of a memory from running back', async () => {
    const one = await home.process();
    await one.commands.write({ content: 'a', key: 'k' }, one.caller);
    const slow = await home.process({ sources: { ...sources, now: () => Date.parse('2020-01-01') } });
    await slow.commands.write({ content: 'b', key: 'k' }, slow.caller);
    const times = (await one.events()).slice(1).map(({ envelope }) => envelope.recordedAt);
    expect(times[1]).toBe(times[0]);
  });
});

describe('forgetting and restoring', () => {
  it('by id', async () => {
    const { commands, caller } = await home.process();
    const { memory_id } = await commands.write({ content: 'x', key: 'k' }, caller);
    const id = memory_id!;
    expect(await commands.forget({ memory_id: id, reason: 'r' }, caller)).toMatchObject({
      status: 'forgotten',
      forgotten: [id],
    });
    expect(await commands.forget({ memory_id: id, reason: 'r' }, caller)).toMatchObject({
      status: 'unchanged',
      forgotten: [],
    });
    expect(await commands.restore({ memory_id: id, reason: 'r' }, caller)).toMatchObject({
      status: 'restored',
      version: 1,
    });
    expect(await commands.restore({ memory_id: id, reason: 'r' }, caller)).toMatchObject({ status: 'unchanged' });
    await expect(commands.forget({ memory_id: sources.uuid(), reason: 'r' }, caller)).rejects.toThrow(
      code('memory_not_found'),
    );
    await expect(commands.forget({ reason: 'r' }, caller)).rejects.toThrow(code('invalid_input'));
    await expect(commands.forget({ filter: {}, reason: 'r' }, caller)).rejects.toThrow(code('invalid_input'));
  });

  it('by filter shows first, and forgets exactly what was shown', async () => {
    const matched: { memoryId: string; version: number; preview: string }[] = [];
    const { commands, caller } = await home.process({ matching: async () => [...matched] });
    for (const content of ['a', 'b', 'c']) {
      const { memory_id } = await commands.write({ content }, caller);
      matched.push({ memoryId: memory_id!, version: 1, preview: content });
    }
    const ask = { filter: { kind: 'semantic' as const }, reason: 'r' };
    const shown = await commands.forget(ask, caller);
    expect(shown).toMatchObject({
      status: 'dry_run',
      forgotten: [],
      total: 3,
      would_forget: [{ preview: 'a' }, {}, {}],
    });
    matched[0] = { ...matched[0]!, version: 2 };
    await expect(commands.forget({ ...ask, confirm: shown.confirm }, caller)).rejects.toThrow(code('confirm_mismatch'));
    matched[0] = { ...matched[0]!, version: 1 };
    await expect(
      commands.forget({ filter: { tags: ['x'] }, reason: 'r', confirm: shown.confirm }, caller),
    ).rejects.toThrow(code('confirm_mismatch'));
    const done = await commands.forget({ ...ask, confirm: shown.confirm }, caller);
    expect(done).toMatchObject({ status: 'forgotten', forgotten: matched.map(({ memoryId }) => memoryId) });
    matched.length = 0;
    expect(await commands.forget({ ...ask, confirm: shown.confirm }, caller)).toEqual(done);
  });
});

describe('recalls', () => {
  const recall = (recallId: string) => ({
    recallId,
    query: 'which database?',
    at: '2026-03-01T00:00:00.000Z',
    items: [{ memoryId: sources.uuid(), version: 1, score: 0.5 }],
    tookMs: 1.5,
    subjects: ['0011'],
  });

  it('are put on record in order, in one stream of the process, each with a secret of its own', async () => {
    const { commands, caller, events } = await home.process();
    for (const id of ['r1', 'r2', 'r3']) await commands.recordRecall(recall(id), caller, false);
    await commands.flush();
    const served = (await events()).filter(({ event }) => event.type === 'RecallServed');
    expect(served.map(({ event }) => event.type === 'RecallServed' && event.data.recallId)).toEqual(['r1', 'r2', 'r3']);
    expect(new Set(served.map(({ envelope }) => envelope.stream)).size).toBe(1);
    expect(new Set(served.map(({ envelope }) => envelope.box!.k)).size).toBe(3);
    expect(served[0]!.envelope.subjects).toEqual(['0011']);
    expect(served[0]!.event.content).toEqual({ query: 'which database?' });
  });

  it('are on record at once when they must be, else within moments or at closing', async () => {
    const { commands, caller, events } = await home.process();
    await commands.recordRecall(recall('now'), caller, true);
    expect((await events()).at(-1)!.event.type).toBe('RecallServed');
    await commands.recordRecall(recall('later'), caller, false);
    await expect.poll(async () => (await events()).length, { timeout: 5000 }).toBe(3);
    await commands.recordRecall(recall('last'), caller, false);
    await commands.close();
    expect(await events()).toHaveLength(4);
  });

  it('never spoil an answer when they cannot be recorded, unless they must be', async () => {
    let failing = true;
    const warned: object[] = [];
    const { commands, caller, events } = await home.process({
      log: { warn: (fields) => warned.push(fields) },
      wrap: (ledger) => ({
        ...ledger,
        append: (stream, events, expected) =>
          failing && stream.includes('.recall-')
            ? Promise.reject(new Error('disk'))
            : ledger.append(stream, events, expected),
      }),
    });
    await commands.recordRecall(recall('r1'), caller, false);
    await commands.flush();
    expect(warned).toHaveLength(1);
    await expect(commands.recordRecall(recall('r2'), caller, true)).rejects.toThrow('disk');
    failing = false;
    await commands.flush();
    expect((await events()).filter(({ event }) => event.type === 'RecallServed')).toHaveLength(1);
    expect(commands.lostRecalls()).toBe(0);
  });
});
