import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { ParityCases } from '../parity-case.js';
import type { Scene, SceneClient } from '../scene.js';

interface Audit {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly because?: readonly string[];
  readonly readings?: Readonly<Record<string, { readonly items: readonly { readonly content: unknown }[] }>>;
  readonly next?: string;
  readonly basis: string;
}

/** Tries until what recalls were served is projected, which is beside everything else. */
const mostTries = 100;

async function auditor(scene: Scene, name: string): Promise<SceneClient> {
  return scene.clientOf(await scene.token({ bank: 'audited', name, roles: 'reader,writer,auditor' }));
}

export const audits: ParityCases = {
  async 'answers for what was believed at a time, and says what was learned since'(scene) {
    const client = await auditor(scene, 'auditing');
    const limit = (content: string, valid_from: string) => ({ content, key: 'sluice.limit', valid_from });
    await client.ask('memory_write', limit('the sluice limit is 100', '2024-01-01'));
    const before = scene.now();
    await client.ask('memory_write', limit('the sluice limit is 50', '2024-01-01'));
    const asked = { ask: 'belief', query: 'what is the sluice limit?', at: '2024-05-01' };
    const belief = await client.ask<Audit>('memory_audit', { ...asked, as_of: before });
    const items = (reading: string) => belief.readings![reading]!.items.map(({ content }) => content);
    expect(items('true_now')).toEqual(['the sluice limit is 50']);
    expect(items('true_then')).toEqual(['the sluice limit is 50']);
    expect(items('answered_then')).toEqual(['the sluice limit is 100']);
    expect(belief.because).toMatchObject([
      expect.stringContaining('not among what this ledger would have answered then: “the sluice limit is 50”'),
      expect.stringContaining('Only among what this ledger would have answered then: “the sluice limit is 100”'),
      expect.stringContaining('Until then this ledger said “the sluice limit is 100”'),
    ]);
    expect((await client.ask<Audit>('memory_audit', asked)).because).toMatchObject([
      expect.stringContaining('not among what this ledger would have answered then'),
      expect.stringContaining('this ledger knew nothing'),
    ]);
    const chinese = await client.ask<Audit>('memory_audit', {
      ...asked,
      query: 'sluice limit 是多少？',
      as_of: before,
    });
    expect(chinese.because!.at(-1)).toContain('在此之前');
  },

  async 'tells the state, the difference, who wrote and what came late, in pages'(scene) {
    const client = await auditor(scene, 'auditing-pages');
    const audit = (args: object) => client.ask<Audit>('memory_audit', { tags: ['weir'], ...args });
    const write = (content: string, more: object = {}) =>
      client.ask<{ memory_id: string }>('memory_write', { content, tags: ['weir'], ...more });
    await write('the weir is open', { key: 'weir.state', valid_from: '2024-01-01' });
    const kept = await write('the weir keeper is Ada', { key: 'weir.keeper' });
    const before = scene.now();
    await write('the weir is shut', { key: 'weir.state', valid_from: '2024-06-01' });
    await client.ask('memory_forget', { memory_id: kept.memory_id, reason: 'she moved on' });
    await write('the weir has two gates');
    const contents = ({ rows }: Audit) => rows.map(({ content }) => content);
    expect(contents(await audit({ ask: 'state' }))).toEqual(['the weir is shut', 'the weir has two gates']);
    expect(contents(await audit({ ask: 'state', as_of: before }))).toEqual([
      'the weir is open',
      'the weir keeper is Ada',
    ]);
    expect(contents(await audit({ ask: 'state', valid_at: '2024-03-01' }))).toEqual(['the weir is open']);
    expect(contents(await audit({ ask: 'state', as_of: '2020-01-01' }))).toEqual([]);
    const first = await audit({ ask: 'state', limit: 1 });
    expect(contents(await audit({ ask: 'state', limit: 1, cursor: first.next! }))).toEqual(['the weir has two gates']);
    const changes = async (args: object) =>
      (await audit({ ask: 'diff', ...args })).rows.map(({ key, change }) => [key, change]);
    const difference = [
      ['weir.state', 'revised'],
      ['weir.keeper', 'forgotten'],
      [undefined, 'added'],
    ];
    expect(await changes({ from: before })).toEqual(difference);
    expect(await changes({ from: before, to: first.basis })).toEqual(difference);
    const { rows } = await client.ask<Audit>('memory_audit', { ask: 'who', key: 'weir.keeper' });
    expect(rows).toMatchObject([
      { change: 'added', principal: 'token:auditing-pages' },
      { change: 'forgotten', why: 'she moved on' },
    ]);
    expect(contents(await audit({ ask: 'retroactive', by: '30d' }))).toEqual(['the weir is open', 'the weir is shut']);
    const events = await client.ask<Audit>('memory_audit', { ask: 'events', memory_id: kept.memory_id });
    expect(events.rows).toMatchObject([{ type: 'MemoryRecorded' }, { type: 'MemoryForgotten', why: 'she moved on' }]);
    expect(contents(await audit({ ask: 'who', key: 'weir.state', valid_at: '2024-03-01' }))).toEqual([
      'the weir is open',
    ]);
    await client.ask('memory_history', { key: 'weir.state', valid_at: '2024-03-01' });
    await client.ask('memory_history', { key: 'weir.state', as_of: '2020-01-01' });
  },

  async 'refuses audits to whom they are not for, and questions that make no sense'(scene) {
    const client = await auditor(scene, 'auditing-wrongly');
    const reader = scene.clientOf(await scene.token({ bank: 'audited', name: 'not-auditing', roles: 'reader' }));
    for (const [who, args] of [
      [reader, { ask: 'state' }],
      [client, { ask: 'diff' }],
      [client, { ask: 'belief', query: 'x' }],
      [client, { ask: 'state', as_of: '2999-01-01' }],
      [client, { ask: 'state', include: ['quarantined'] }],
      [client, { ask: 'who', cursor: 'a1.x' }],
      [client, { ask: 'retroactive', by: 'soon' }],
      [client, { ask: 'everything' }],
    ] as const)
      expect((await who.call('memory_audit', args)).isError, JSON.stringify(args)).toBe(true);
    expect((await client.call('memory_search', { query: 'x', as_of: '2999-01-01' })).isError).toBe(true);
  },

  async 'tells what a session had been shown'(scene) {
    const client = await auditor(scene, 'auditing-recalls');
    await client.ask('memory_write', { content: 'the lock keeper has the spare key', session_id: 'shown-1' });
    await client.ask('memory_search', { query: 'who has the spare key?', session_id: 'shown-1' });
    const asked = { ask: 'shown', session_id: 'shown-1' };
    const before = scene.said.length;
    for (let tries = 0; (await client.ask<Audit>('memory_audit', asked)).rows.length === 0; tries++) {
      expect(tries).toBeLessThan(mostTries);
      await sleep(200);
    }
    expect(await client.ask<Audit>('memory_audit', asked)).toMatchObject({
      rows: [
        {
          query: 'who has the spare key?',
          principal: 'token:auditing-recalls',
          shown: [{ version: 1, content: 'the lock keeper has the spare key', status: 'current' }],
        },
      ],
    });
    const rows = async (more: object) => (await client.ask<Audit>('memory_audit', { ...asked, ...more })).rows.length;
    expect(await rows({ valid_at: new Date(Date.now() + 60_000).toISOString() })).toBe(1);
    const at = '2020-01-01';
    for (const none of [{ valid_at: at }, { as_of: at }, { at }, { to: at }, { at: '2999-01-01', to: at }])
      expect(await rows(none)).toBe(0);
    // How often it takes, and so when it was asked last, is the profile's own.
    scene.said.splice(before);
  },
};
