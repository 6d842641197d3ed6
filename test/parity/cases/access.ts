import { expect } from 'vitest';
import type { ParityCases } from '../parity-case.js';

interface Written {
  readonly memory_id: string;
  readonly basis: string;
}

export const access: ParityCases = {
  async 'lets a token do what its roles say'(scene) {
    const reader = scene.clientOf(await scene.token({ name: 'only-reads', roles: 'reader' }));
    const writer = scene.clientOf(await scene.token({ name: 'only-writes', roles: 'writer' }));
    await scene.client.ask('memory_write', { content: 'the gate opens at six', key: 'gate.opens' });
    expect(await reader.ask('memory_search', { query: 'gate opens' })).toMatchObject({
      items: [{ key: 'gate.opens' }],
    });
    await expect(refusal(reader.call('memory_write', { content: 'x' }))).resolves.toMatch(/memory_write/);
    await expect(refusal(writer.call('memory_search', { query: 'gate' }))).resolves.toMatch(/memory_search/);
    expect(await writer.ask('memory_write', { content: 'the gate closes at ten' })).toMatchObject({ status: 'stored' });
    expect(await reader.ask('memory_search', { query: 'gate closes', min_score: 0 })).toMatchObject({
      items: [{ source: { principal: 'token:only-writes' } }, {}],
    });
  },

  async 'keeps banks from each other, and says whose an id or basis is'(scene) {
    const other = scene.clientOf(await scene.token({ bank: 'the other one', name: 'elsewhere' }));
    const mine = await scene.client.ask<Written>('memory_write', { content: 'the heron nests by the weir' });
    const theirs = await other.ask<Written>('memory_write', { content: 'the heron nests on the roof' });
    expect(await other.ask('memory_search', { query: 'heron nests' })).toMatchObject({
      items: [{ id: theirs.memory_id }],
    });
    const { basis } = await other.ask<Written>('memory_search', { query: 'heron' });
    for (const [tool, args] of [
      ['memory_history', { memory_id: mine.memory_id }],
      ['memory_write', { memory_id: mine.memory_id, content: 'mine now' }],
      ['memory_forget', { memory_id: mine.memory_id, reason: 'mine now' }],
      ['memory_restore', { memory_id: mine.memory_id, reason: 'mine now' }],
    ] as const)
      expect((await other.call(tool, args)).text, tool).toMatch(/^memory_of_another_bank/);
    for (const tool of ['memory_search', 'memory_history']) {
      const args = tool === 'memory_search' ? { query: 'heron' } : { memory_id: mine.memory_id };
      expect((await scene.client.call(tool, { ...args, basis })).text, tool).toMatch(/^basis_of_another_bank/);
    }
  },

  async 'ends a token that is revoked'(scene) {
    const token = await scene.token({ name: 'let-go' });
    const client = scene.clientOf(token);
    await client.ask('memory_stats', {});
    const revoked = await scene.command(['token', 'revoke', 'let-go']);
    expect(revoked.code, revoked.stderr).toBe(0);
    await expect
      .poll(() => refusal(client.call('memory_stats', {})), { timeout: 15_000 })
      .toMatch(/401|unauthenticated/);
    await expect(scene.profile.client(token)).rejects.toThrow(/401|unauthenticated/);
    await expect(scene.profile.client('hl_nonsense')).rejects.toThrow(/401|unauthenticated/);
    scene.said.length = 0;
  },
};

/** How a call was refused: by the tool, by the server, or by the connection. */
async function refusal(calling: Promise<{ isError: boolean; text: string }>): Promise<string> {
  try {
    const { isError, text } = await calling;
    return isError ? text : 'it was not refused';
  } catch (error) {
    return String(error);
  }
}
