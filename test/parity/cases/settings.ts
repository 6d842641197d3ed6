import { expect } from 'vitest';
import type { ParityCases } from '../parity-case.js';

interface Found {
  readonly items: readonly { readonly id: string; readonly score: number }[];
  readonly basis: string;
  readonly explained: object;
}

export const settings: ParityCases = {
  async 'recalls from a bank as it is set to be at the basis'(scene) {
    const client = scene.clientOf(await scene.token({ bank: 'tuned', name: 'tuning' }));
    // With days of their own: how recent they are must not depend on a clock.
    let days = 1;
    const write = (content: string, more: object = {}) =>
      client.ask('memory_write', { content, occurred_at: `2025-03-0${days++}T09:00:00Z`, ...more });
    await write('the weir is opened when the river rises', { key: 'weir.opened' });
    await write('the lock keeper of the weir is Tamsin');
    await write('boats pass the lock in the morning');
    const search = (more: object = {}) =>
      client.ask<Found>('memory_search', { query: 'when is the weir opened', min_score: 0, explain: true, ...more });
    const configure = async (...args: string[]) => {
      const { code, stdout, stderr } = await scene.command(['bank', 'configure', 'tuned', ...args, '--json']);
      expect(code, stderr).toBe(0);
      return JSON.parse(stdout) as { status: string; recall: object };
    };
    const before = await search();
    expect(before.explained).toMatchObject({ profile: 'learned' });
    expect(await configure('--leg', 'slot=off,time=off', '--ranking', 'seeds')).toMatchObject({
      status: 'stored',
      recall: { off: ['slot', 'time'], profile: 'seeds' },
    });
    // What was acknowledged is seen by whoever writes after it.
    await write('the weir was painted green');
    const after = await search();
    expect(after.explained).toMatchObject({ profile: 'seeds', off: ['slot', 'time'] });
    expect((await search({ basis: before.basis })).items).toEqual(before.items);
    expect((await search({ basis: after.basis })).items).toEqual(after.items);
    expect(await configure('--leg', 'slot=off')).toMatchObject({ status: 'unchanged' });
    await configure('--leg', 'slot=on,time=on', '--ranking', 'learned');
    await write('the weir keeper has a dog');
    expect((await search()).explained).toMatchObject({ profile: 'learned' });
    await scene.restart();
    expect((await search({ basis: after.basis })).items).toEqual(after.items);
  },
};
