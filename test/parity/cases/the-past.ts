import { expect } from 'vitest';
import type { ParityCases } from '../parity-case.js';

interface Found {
  readonly items: readonly { readonly id: string; readonly content: unknown; readonly score: number }[];
  readonly basis: string;
}

export const thePast: ParityCases = {
  async 'tells what was known at a time, and what was true at one'(scene) {
    const { client } = scene;
    const lead = (content: string, valid_from: string) => ({ content, key: 'lead.lighthouse', valid_from });
    await client.ask('memory_write', lead('Ada leads lighthouse', '2024-01-01T00:00:00Z'));
    const before = scene.now();
    await client.ask('memory_write', lead('Grace leads lighthouse', '2025-01-01T00:00:00+02:00'));
    await client.ask('memory_write', { ...lead('Edith led lighthouse', '2024-06-01'), valid_to: '2024-08-01' });
    const asked = async (args: object) => {
      const { items } = await client.ask<Found>('memory_search', { query: 'leads lighthouse', ...args });
      return items.map((item) => item.content);
    };
    expect(await asked({})).toEqual(['Grace leads lighthouse']);
    expect(await asked({ as_of: before })).toEqual(['Ada leads lighthouse']);
    expect(await asked({ valid_at: '2024-03-01' })).toEqual(['Ada leads lighthouse']);
    expect(await asked({ valid_at: '2024-07-01T12:00:00Z' })).toEqual(['Edith led lighthouse']);
    expect(await asked({ as_of: before, valid_at: '2024-07-01' })).toEqual(['Ada leads lighthouse']);
    expect(await asked({ valid_at: '2023-01-01' })).toEqual([]);
    const during = await asked({ valid_during: { from: '2024-05-01', to: '2025-06-01' } });
    expect([...during].sort()).toEqual(['Ada leads lighthouse', 'Edith led lighthouse', 'Grace leads lighthouse']);
    await asked({ include: ['current', 'superseded'], valid_at: '2024-03-01' });
    await client.ask('memory_history', { key: 'lead.lighthouse', as_of: before });
  },

  async 'repeats an answer when its basis is given back, whatever came since'(scene) {
    const { client } = scene;
    const item = (at: number) => ({ content: `the harbour pilot boards at buoy ${at}${' again'.repeat(at)}` });
    await client.ask('memory_write', { items: Array.from({ length: 20 }, (_, at) => item(at)) });
    const question = { query: 'harbour pilot buoy again', top_k: 12, min_score: 0, explain: true };
    const first = await client.ask<Found>('memory_search', question);
    expect(first.items).toHaveLength(12);
    const gone = { memory_id: first.items[0]!.id, reason: 'no longer' };
    await client.ask('memory_forget', gone);
    await client.ask('memory_write', { items: Array.from({ length: 20 }, (_, at) => item(at + 30)) });
    const same = async () =>
      expect((await client.ask<Found>('memory_search', { ...question, basis: first.basis })).items).toEqual(
        first.items,
      );
    await same();
    const replayed = await scene.command(['replay', '--check', '--json']);
    expect(replayed.code, replayed.stdout + replayed.stderr).toBe(0);
    await same();
    await scene.restart();
    await same();
    const now = await client.ask<Found>('memory_search', question);
    expect(now.items).not.toEqual(first.items);
    expect(now.items.map(({ id }) => id)).not.toContain(gone.memory_id);
    await client.ask('memory_history', { memory_id: gone.memory_id, basis: first.basis });
  },

  async 'answers after a replay as before it, and counts the same'(scene) {
    const token = await scene.token({ bank: 'replayed', name: 'replaying' });
    const client = scene.clientOf(token);
    const items = Array.from({ length: 40 }, (_, at) => ({
      content: `observation ${at}: the ${at % 2 ? 'northern' : 'southern'} gauge read ${at * 7}${' cm'.repeat(at)}`,
      kind: at % 3 === 0 ? 'episodic' : 'semantic',
      // Of one slot in one call: whether the later version cuts the earlier, or covers it, must not hang on a millisecond.
      ...(at % 5 === 0
        ? { key: `gauge.${at % 15}`, valid_from: new Date(Date.UTC(2024, 0, 1 + at)).toISOString() }
        : {}),
    }));
    await client.ask('memory_write', { items });
    const ask = async () => [
      (
        await client.ask<Found>('memory_search', {
          query: 'northern gauge read',
          top_k: 50,
          min_score: 0,
          explain: true,
        })
      ).items,
      (await client.ask<Found>('memory_search', { query: 'observation 11', kinds: ['semantic'] })).items,
      (await client.ask<{ memories: object }>('memory_stats', {})).memories,
    ];
    const before = await ask();
    const { code, stdout, stderr } = await scene.command(['replay', '--check', '--json']);
    expect(code, stdout + stderr).toBe(0);
    const { projections } = JSON.parse(stdout) as { projections: { matches: boolean }[] };
    expect(projections.every(({ matches }) => matches)).toBe(true);
    expect(await ask()).toEqual(before);
  },
};
