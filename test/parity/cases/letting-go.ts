import { expect } from 'vitest';
import type { ParityCases } from '../parity-case.js';
import type { SceneClient } from '../scene.js';

interface Written {
  readonly memory_id: string;
}
interface DryRun {
  readonly total: number;
  readonly confirm: string;
}

export const lettingGo: ParityCases = {
  async 'lays aside what is still true, and takes it out again'({ client }) {
    const { memory_id } = await client.ask<Written>('memory_write', {
      content: 'the orchard is pruned in March',
      key: 'orchard',
    });
    const ask = { memory_id, reason: 'out of season', mode: 'archive' };
    expect(await client.ask('memory_forget', ask)).toMatchObject({ status: 'forgotten', forgotten: [memory_id] });
    expect(await client.ask('memory_forget', ask)).toMatchObject({ status: 'unchanged' });
    const query = { query: 'orchard pruned' };
    expect(await client.ask('memory_search', query)).toMatchObject({ items: [] });
    expect(await client.ask('memory_search', { ...query, include: ['archived'] })).toMatchObject({
      items: [{ id: memory_id, status: 'archived' }],
    });
    const restore = { memory_id, reason: 'in season' };
    expect(await client.ask('memory_restore', restore)).toMatchObject({ status: 'restored' });
    expect(await client.ask('memory_search', query)).toMatchObject({ items: [{ id: memory_id }] });
    await client.ask('memory_forget', { ...ask, reason: 'out of season again' });
    await client.ask('memory_write', { content: 'the orchard is pruned in April', key: 'orchard' });
    expect(await client.ask('memory_search', query)).toMatchObject({ items: [{ id: memory_id, version: 2 }] });
  },

  async 'holds back what a reviewer has not looked at'(scene) {
    const { client } = scene;
    const { memory_id } = await client.ask<Written>('memory_write', { content: 'the moat is drained on Sundays' });
    const did = async (...words: string[]) => {
      const done = await scene.command(['review', ...words, '--json']);
      expect(done.code, done.stderr).toBe(0);
      return JSON.parse(done.stdout) as Record<string, unknown>;
    };
    expect(await did('quarantine', memory_id, '--reason', 'odd')).toMatchObject({ status: 'quarantined' });
    expect(await client.ask('memory_search', { query: 'moat drained' })).toMatchObject({ items: [] });
    for (const tool of ['memory_forget', 'memory_restore'])
      expect((await client.call(tool, { memory_id, reason: 'mine' })).text).toMatch(/^memory_quarantined/);
    expect(await did('release', memory_id, '--reason', 'fine')).toMatchObject({ status: 'released' });
    expect(await client.ask('memory_search', { query: 'moat drained' })).toMatchObject({ items: [{ id: memory_id }] });
    await did('quarantine', memory_id, '--reason', 'odd after all');
    expect(await did('reject', memory_id, '--reason', 'wrong')).toMatchObject({ status: 'rejected' });
    expect((await client.call('memory_restore', { memory_id, reason: 'mine' })).text).toMatch(/^forbidden/);
  },

  async 'shows what is held back since to reviewers alone, at a basis from before'(scene) {
    const token = await scene.token({ bank: 'reviewed', name: 'reads', roles: 'reader,writer,auditor' });
    const client = scene.clientOf(token);
    const reviewer = scene.clientOf(
      await scene.token({ bank: 'reviewed', name: 'reviews', roles: 'reader,writer,reviewer' }),
    );
    const query = { query: 'drawbridge winch', min_score: 0 };
    const { memory_id } = await client.ask<Written>('memory_write', { content: 'the drawbridge winch is oiled' });
    await client.ask('memory_write', { content: 'the winch of the drawbridge has twelve teeth' });
    const then = await client.ask<{ basis: string; items: readonly { id: string }[] }>('memory_search', query);
    expect(then.items).toHaveLength(2);
    const again = (by: SceneClient) => by.ask<typeof then>('memory_search', { ...query, basis: then.basis });
    const did = async (verdict: string) => {
      const done = await scene.command([
        'review',
        verdict,
        memory_id,
        '--reason',
        'odd',
        '--bank',
        'reviewed',
        '--json',
      ]);
      expect(done.code, done.stderr).toBe(0);
    };
    await did('quarantine');
    const rest = then.items.filter(({ id }) => id !== memory_id);
    expect(await again(client)).toMatchObject({ items: rest, altered_by_quarantine: true });
    const history = await client.ask('memory_history', { memory_id, basis: then.basis });
    const state = await client.ask('memory_audit', { ask: 'state', basis: then.basis });
    expect(JSON.stringify([history, state])).not.toContain('oiled');
    expect((await again(reviewer)).items).toMatchObject(
      then.items.map((item) => ({ ...item, ...(item.id === memory_id ? { quarantined_at: expect.any(String) } : {}) })),
    );
    await did('release');
    expect((await again(client)).items).toEqual(then.items);
    await did('quarantine');
    await did('reject');
    expect(await again(client)).toMatchObject({ items: rest, altered_by_quarantine: true });
  },

  async 'erases a person by any name, and keeps the values out of imports'(scene) {
    const eraser = scene.clientOf(await scene.token({ name: 'erases', roles: 'reader,writer,eraser' }));
    const about = { subjects: ['Wren Abernathy'] };
    const { memory_id } = await eraser.ask<Written>('memory_write', {
      content: 'Wren keeps bees',
      key: 'bees',
      ...about,
    });
    await eraser.ask('memory_write', { content: 'the beekeeper is allergic', subjects: ['The Beekeeper'] });
    await eraser.ask('memory_write', { content: 'honey is sold by Wren Abernathy' });
    const aliased = await scene.command(['subject', 'alias', 'Wren Abernathy', 'The Beekeeper', '--json']);
    expect(aliased.code, aliased.stderr).toBe(0);
    const ask = { filter: { subject: 'wren abernathy' }, mode: 'erase', reason: 'asked to' };
    expect((await scene.client.call('memory_forget', ask)).text).toMatch(/^forbidden/);
    const planned = await eraser.ask<DryRun>('memory_forget', ask);
    expect(planned).toMatchObject({ status: 'dry_run', total: 2, erasure: { also_mentioned: 1 } });
    // Ids, times and positions, and how long others take, are each profile's own.
    const before = scene.said.length;
    await expect
      .poll(async () => (await eraser.ask('memory_forget', { ...ask, confirm: planned.confirm })).status, {
        timeout: 60_000,
      })
      .toBe('erased');
    scene.said.length = before;
    for (const query of ['bees', 'allergic', 'Wren keeps bees'])
      expect(
        JSON.stringify(await eraser.ask('memory_search', { query, include: ['superseded', 'retracted'] })),
      ).not.toMatch(/keeps bees|allergic/);
    expect((await eraser.call('memory_restore', { memory_id, reason: 'r' })).text).toMatch(/^memory_erased/);
    const line = JSON.stringify({ id: 'bees-1', content: 'Wren keeps bees' });
    const imported = await scene.command(['import', '--format', 'jsonl', '--json'], { input: line });
    expect(imported.code).toBe(1);
    expect(imported.stdout).toContain('This value was erased');
    expect(await eraser.ask('memory_write', { content: 'Wren keeps geese', key: 'bees', ...about })).toMatchObject({
      memory_id,
      version: 2,
      status: 'stored',
    });
    expect(await eraser.ask('memory_search', { query: 'geese' })).toMatchObject({
      items: [{ id: memory_id, version: 2 }],
    });
  },
};
