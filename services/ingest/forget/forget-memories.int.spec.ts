import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Match, QueryPort } from '#contract/query-port.js';
import type { Ledger } from '#ledger/ledger.js';
import { type IngestHome, ingestHome, sources } from '../test-support/ingest-home.js';

let home: IngestHome;
beforeEach(async () => {
  home = await ingestHome();
});
afterEach(() => home.remove());

const code = (expected: string) => expect.objectContaining({ code: expected });

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
    const matched: Match[] = [];
    const { commands, caller } = await home.process({ matching: async () => [...matched] });
    for (const content of ['a', 'b', 'c']) {
      const { memory_id } = await commands.write({ content }, caller);
      matched.push({ memoryId: memory_id!, version: 1, latest: 1, preview: content });
    }
    const ask = { filter: { kind: 'semantic' as const }, reason: 'r' };
    const shown = await commands.forget(ask, caller);
    expect(shown).toMatchObject({
      status: 'dry_run',
      forgotten: [],
      total: 3,
      would_forget: [{ preview: 'a' }, {}, {}],
    });
    matched[0] = { ...matched[0]!, latest: 2 };
    await expect(commands.forget({ ...ask, confirm: shown.confirm }, caller)).rejects.toThrow(code('confirm_mismatch'));
    matched[0] = { ...matched[0]!, latest: 1 };
    await expect(
      commands.forget({ filter: { tags: ['x'] }, reason: 'r', confirm: shown.confirm }, caller),
    ).rejects.toThrow(code('confirm_mismatch'));
    const done = await commands.forget({ ...ask, confirm: shown.confirm }, caller);
    expect(done).toMatchObject({ status: 'forgotten', forgotten: matched.map(({ memoryId }) => memoryId) });
    matched.length = 0;
    expect(await commands.forget({ ...ask, confirm: shown.confirm }, caller)).toEqual(done);
    for (const other of [{ filter: { tags: ['x'] } }, { mode: 'archive' as const }])
      await expect(commands.forget({ ...ask, ...other, confirm: shown.confirm }, caller)).rejects.toThrow(
        code('confirm_mismatch'),
      );
  });

  it.each([0, 1, 2, 3])(
    'by filter and idempotency key goes on where a lost call stopped, after %i of 3, and answers as it would have',
    async (stored) => {
      const all: Match[] = [];
      const gone = new Set<string>();
      const matching: QueryPort['matching'] = async (_filter, _caller, retractedToo) =>
        all.filter(({ memoryId }) => retractedToo || !gone.has(memoryId));
      let left = Infinity;
      const stopping = (ledger: Ledger): Ledger => ({
        ...ledger,
        async append(stream, events, expected) {
          if (left-- <= 0) throw new Error('killed');
          const appended = await ledger.append(stream, events, expected);
          if (events[0]!.type === 'MemoryForgotten')
            gone.add(all.find(({ memoryId }) => stream.includes(memoryId))!.memoryId);
          return appended;
        },
      });
      const first = await home.process({ matching, wrap: stopping });
      for (const content of ['a', 'b', 'c']) {
        const { memory_id } = await first.commands.write({ content }, first.caller);
        all.push({ memoryId: memory_id!, version: 1, latest: 1, preview: content });
      }
      const filter = { kind: 'semantic' as const };
      const { confirm } = await first.commands.forget({ filter, reason: 'r' }, first.caller);
      const ask = { filter, reason: 'r', confirm, idempotency_key: 'once' };
      left = stored;
      await first.commands.forget(ask, first.caller).catch(() => undefined);
      expect(gone.size).toBe(stored);

      const { commands, caller, events } = await home.process({ matching });
      expect(await commands.forget(ask, caller)).toMatchObject({
        status: 'forgotten',
        forgotten: all.map(({ memoryId }) => memoryId),
        total: 3,
      });
      expect((await events()).filter(({ event }) => event.type === 'MemoryForgotten')).toHaveLength(3);
    },
  );

  it('by filter and idempotency key refuses another set than the one that was confirmed', async () => {
    const all: Match[] = [];
    const gone = new Set<string>();
    const matching: QueryPort['matching'] = async (_filter, _caller, retractedToo) =>
      all.filter(({ memoryId }) => retractedToo || !gone.has(memoryId));
    const first = await home.process({ matching });
    const written = await first.commands.write({ content: 'a' }, first.caller);
    all.push({ memoryId: written.memory_id!, version: 1, latest: 1, preview: 'a' });
    const ask = { filter: { kind: 'semantic' as const }, reason: 'r' };
    const { confirm } = await first.commands.forget(ask, first.caller);
    await first.commands.forget({ ...ask, confirm, idempotency_key: 'once' }, first.caller);
    gone.add(written.memory_id!);
    const { commands, caller } = await home.process({ matching });
    for (const other of [
      { confirm },
      { confirm: 'f1.other', idempotency_key: 'once' },
      { confirm, idempotency_key: 'two' },
    ])
      await expect(commands.forget({ ...ask, ...other }, caller)).rejects.toThrow(code('confirm_mismatch'));
  });
});
