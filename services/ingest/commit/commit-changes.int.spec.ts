import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '#ledger/ledger.js';
import { type IngestHome, ingestHome, sources } from '../test-support/ingest-home.js';

let home: IngestHome;
beforeEach(async () => {
  home = await ingestHome();
});
afterEach(() => home.remove());

const code = (expected: string) => expect.objectContaining({ code: expected });

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

describe('a batch on a ledger that does not keep the order of what is appended at once', () => {
  /** The earlier an append is made, the later it is stored, as far as it is made together with others. */
  const scattering = (ledger: Ledger): Ledger => {
    let wait = 40;
    return {
      ...ledger,
      scattersAppends: true,
      async append(...asked) {
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, wait--)));
        return ledger.append(...asked);
      },
    };
  };

  it('keeps the turns of each session in the order in which they were given', async () => {
    const { commands, caller, events } = await home.process({ wrap: scattering });
    const items = Array.from({ length: 24 }, (_, at) => ({
      content: `turn ${at}`,
      ...(at % 4 === 3 ? {} : { session_id: `s${at % 4}` }),
      // One of them is written twice, in two sessions.
      ...(at === 4 || at === 9 ? { key: 'said.twice' } : {}),
    }));
    const { items: outcomes } = await commands.write({ items }, caller);
    expect(outcomes!.map(({ status }) => status)).toEqual(Array(24).fill('stored'));
    const stored = (await events()).flatMap(({ envelope, event }) =>
      'version' in event.data ? [[envelope.session, (event.content as { content: string }).content]] : [],
    );
    for (const session of ['s0', 's1', 's2']) {
      const given = items.filter((item) => item.session_id === session).map(({ content }) => JSON.stringify(content));
      const own = stored.filter(([of]) => of === session).map(([, content]) => content);
      // What is written twice is stored together, with the first of it.
      expect(own.filter((content) => content !== '"turn 9"')).toEqual(given.filter((each) => each !== '"turn 9"'));
    }
    expect(stored).toHaveLength(24);
  });
});
