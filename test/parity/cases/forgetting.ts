import { expect } from 'vitest';
import type { ParityCases } from '../parity-case.js';

interface Written {
  readonly memory_id: string;
}
interface DryRun {
  readonly total: number;
  readonly confirm: string;
}

export const forgetting: ParityCases = {
  async 'forgets by id, keeps the history, and restores'({ client }) {
    const { memory_id } = await client.ask<Written>('memory_write', { content: 'the vault code is on the whiteboard' });
    const forget = { memory_id, reason: 'it never was' };
    expect(await client.ask('memory_forget', forget)).toMatchObject({ status: 'forgotten', forgotten: [memory_id] });
    expect(await client.ask('memory_forget', forget)).toMatchObject({ status: 'unchanged' });
    const query = { query: 'vault whiteboard' };
    expect(await client.ask('memory_search', query)).toMatchObject({ items: [] });
    expect(await client.ask('memory_search', { ...query, include: ['retracted'] })).toMatchObject({
      items: [{ id: memory_id, status: 'retracted' }],
    });
    expect(await client.ask('memory_history', { memory_id })).toMatchObject({
      status: 'retracted',
      entries: [{ event: 'recorded' }, { event: 'forgotten', why: 'it never was' }],
    });
    const restore = { memory_id, reason: 'it was after all' };
    expect(await client.ask('memory_restore', restore)).toMatchObject({ status: 'restored', item: { id: memory_id } });
    expect(await client.ask('memory_restore', restore)).toMatchObject({ status: 'unchanged' });
    expect(await client.ask('memory_search', query)).toMatchObject({ items: [{ id: memory_id }] });
  },

  async 'shows what a filter means before it forgets exactly that'({ client }) {
    const items = Array.from({ length: 6 }, (_, at) => ({
      content: `draft ${at} of the announcement${' once more'.repeat(at)}`,
      tags: ['draft', at % 2 === 0 ? 'even' : 'odd'],
      session_id: 'announcement',
      occurred_at: `2025-03-0${at + 1}T10:00:00Z`,
    }));
    await client.ask('memory_write', { items });
    const filter = { tags: ['draft'], session_id: 'announcement', before: '2025-03-05T00:00:00Z' };
    const planned = await client.ask<DryRun>('memory_forget', { filter, reason: 'published' });
    expect(planned).toMatchObject({ status: 'dry_run', total: 4 });
    await client.ask('memory_write', { ...items[0], content: 'a further draft of the announcement' });
    const late = await client.call('memory_forget', { filter, reason: 'published', confirm: planned.confirm });
    expect(late.text).toMatch(/^confirm_mismatch/);
    const { confirm } = await client.ask<DryRun>('memory_forget', { filter, reason: 'published' });
    const done = await client.ask<{ forgotten: string[] }>('memory_forget', { filter, reason: 'published', confirm });
    expect(done.forgotten).toHaveLength(5);
    const again = await client.ask('memory_forget', { filter, reason: 'published', confirm });
    expect(again.forgotten).toEqual(done.forgotten);
    expect(await client.ask('memory_search', { query: 'draft announcement', tags: ['draft'] })).toMatchObject({
      items: [{ content: items[4]!.content }, { content: items[5]!.content }],
    });
  },

  async 'lets a slot be written again after it was forgotten'({ client }) {
    const slot = (content: string) => ({ content, key: 'standup.hour' });
    const { memory_id } = await client.ask<Written>('memory_write', slot('standup is at nine'));
    await client.ask('memory_forget', { memory_id, reason: 'cancelled' });
    expect(await client.ask('memory_write', slot('standup is at ten'))).toMatchObject({ memory_id, version: 2 });
    expect(await client.ask('memory_search', { query: 'standup' })).toMatchObject({ items: [{ version: 2 }] });
    await client.ask('memory_history', { key: 'standup.hour' });
    const notThere = await client.call('memory_restore', { memory_id, reason: 'no' });
    expect(notThere.text).toMatch(/^not_forgotten/);
  },
};
