import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
