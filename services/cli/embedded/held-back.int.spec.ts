import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '#config/load-config.js';
import type { Caller } from '#contract/caller.js';
import type { Embedded } from './open-embedded.js';
import { openEmbedded } from './open-embedded.js';
import { plainLog } from './plain-log.js';

let folder: string;
let home: Embedded;
let reviewer: Caller;
let agent: Caller;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hl-held-back-'));
  const { config } = loadConfig({ flags: { home: folder }, env: {} });
  home = await openEmbedded({ config, log: plainLog('silent', () => undefined) });
  reviewer = home.caller('review');
  agent = { ...reviewer, roles: ['reader', 'writer', 'auditor'] };
});
afterEach(async () => {
  await home.close();
  await rm(folder, { recursive: true });
});

const key = 'payee';
const first = { content: 'invoices are paid to the account in Lisbon', key, valid_from: '2026-01-01' };
/** Covers all that the first says. */
const second = { content: 'invoices are paid to the account in Tallinn', key, valid_from: '2026-01-01' };

/** A memory that is held back, and was written again since by somebody who may not review. */
async function heldBack(): Promise<string> {
  const { memory_id } = await home.commands.write(first, agent);
  await home.commands.review({ memory_id: memory_id!, verdict: 'quarantine', reason: 'odd' }, reviewer);
  expect(await home.commands.write(second, agent)).toMatchObject({ memory_id, version: 2, status: 'quarantined' });
  return memory_id!;
}

async function found(caller: Caller, include: readonly string[]) {
  const { items } = await home.queries.search(
    { query: 'invoices paid account', min_score: 0, include: include as never },
    caller,
  );
  return items.map(({ version, status }) => [version, status]);
}

const anything = ['superseded', 'retracted', 'expired', 'archived'];

describe('a memory that was archived when it was held back', () => {
  it('is archived again when it is released, and was served at no moment in between', async () => {
    const { memory_id = '' } = await home.commands.write(first, agent);
    await home.commands.forget({ memory_id, mode: 'archive', reason: 'old' }, agent);
    await home.commands.review({ memory_id, verdict: 'quarantine', reason: 'odd' }, reviewer);
    expect(await found(agent, anything)).toEqual([]);
    const release = { memory_id, verdict: 'release', reason: 'fine' } as const;
    expect(await home.commands.review(release, reviewer)).toMatchObject({ status: 'released' });
    expect(await home.commands.review(release, reviewer)).toMatchObject({ status: 'unchanged' });
    expect(await found(agent, [])).toEqual([]);
    expect(await found(agent, anything)).toEqual([[1, 'archived']]);
    expect(await home.queries.history({ memory_id }, agent)).toMatchObject({ status: 'archived' });
    await home.commands.restore({ memory_id, reason: 'needed' }, agent);
    expect(await found(agent, [])).toEqual([[1, 'current']]);
    await home.commands.flush();
    for (const each of (await home.projector.replay({ check: 'only' })).projections) expect(each.matches).toBe(true);
  });
});

describe('a memory that is held back and written again', () => {
  it('stays held back, with all that it says', async () => {
    const memory_id = await heldBack();
    expect(await found(agent, anything)).toEqual([]);
    expect((await found(reviewer, ['quarantined'])).sort()).toEqual([
      [1, 'quarantined'],
      [2, 'quarantined'],
    ]);
    const history = await home.queries.history({ memory_id }, agent);
    expect(history.status).toBe('quarantined');
    const who = await home.queries.audit({ ask: 'who', key }, agent);
    const state = await home.queries.audit({ ask: 'state', include: anything as never }, agent);
    const diff = await home.queries.audit({ ask: 'diff', from: '2025-01-01' }, agent);
    for (const answer of [history, who, state, diff]) expect(JSON.stringify(answer)).not.toMatch(/Lisbon|Tallinn/);
    for (const command of ['forget', 'restore'] as const)
      await expect(home.commands[command]({ memory_id, reason: 'mine' }, agent)).rejects.toMatchObject({
        code: 'memory_quarantined',
      });
    const held = await home.queries.matching({}, reviewer, 'quarantined');
    expect(held.map(({ memoryId, version }) => [memoryId, version])).toEqual([
      [memory_id, 1],
      [memory_id, 2],
    ]);
  });

  it('is served with all that was written to it when it is released', async () => {
    const memory_id = await heldBack();
    await home.commands.review({ memory_id, verdict: 'release', reason: 'fine' }, reviewer);
    expect(await found(agent, [])).toEqual([[2, 'current']]);
    expect((await found(agent, anything)).sort()).toEqual([
      [1, 'superseded'],
      [2, 'current'],
    ]);
    expect(await home.commands.write(second, agent)).toMatchObject({ version: 2, status: 'unchanged' });
  });

  it('is retracted with all that was written to it when it is rejected', async () => {
    const memory_id = await heldBack();
    await home.commands.review({ memory_id, verdict: 'reject', reason: 'fraud' }, reviewer);
    expect(await found(agent, [])).toEqual([]);
    expect(await found(agent, ['retracted'])).toEqual([[2, 'retracted']]);
    await expect(home.commands.restore({ memory_id, reason: 'mine' }, agent)).rejects.toMatchObject({
      code: 'forbidden',
    });
  });
});
