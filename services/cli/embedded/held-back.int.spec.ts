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

describe('a basis from before a memory was held back', () => {
  const query = 'invoices paid account';
  const since = 'altered_by_quarantine';

  /** One that is held back since, and one beside it that says something else of the same. */
  async function before() {
    const { memory_id = '' } = await home.commands.write(first, agent);
    await home.commands.write({ content: 'invoices of the account are paid on Fridays' }, agent);
    const ask = (caller: Caller, more: object = {}) => home.queries.search({ query, min_score: 0, ...more }, caller);
    const then = await ask(agent);
    expect(then.items).toHaveLength(2);
    expect(then).not.toHaveProperty(since);
    const judge = (verdict: 'quarantine' | 'release' | 'reject') =>
      home.commands.review({ memory_id, verdict, reason: 'odd' }, reviewer);
    return { memory_id, ask, then, judge };
  }

  it('leaves it out for who may not review, says so, and gives the rest the same scores', async () => {
    const { memory_id, ask, then, judge } = await before();
    await judge('quarantine');
    const again = await ask(agent, { basis: then.basis });
    expect(again).toMatchObject({ [since]: true, notes: [expect.stringContaining('rejected, since')] });
    expect(again.items).toEqual(then.items.filter(({ id }) => id !== memory_id));
    const one = await ask(agent, { basis: then.basis, top_k: 1 });
    expect(one.items).toEqual(again.items);
    expect(await ask(agent)).not.toHaveProperty(since);
  });

  it('repeats it for reviewers, marked', async () => {
    const { memory_id, ask, then, judge } = await before();
    const asReviewer = await ask(reviewer, { basis: then.basis });
    await judge('quarantine');
    const again = await ask(reviewer, { basis: then.basis });
    expect(again.items).toEqual(
      asReviewer.items.map((each) =>
        each.id === memory_id ? { ...each, quarantined_at: expect.stringMatching(/Z$/) } : each,
      ),
    );
    expect(again).not.toHaveProperty(since);
  });

  it('shows it to nobody else in history and audits either', async () => {
    const { memory_id, then, judge } = await before();
    await judge('quarantine');
    const { basis } = then;
    const at = new Date().toISOString();
    const answers = [
      await home.queries.history({ memory_id, basis }, agent),
      await home.queries.audit({ ask: 'state', basis }, agent),
      await home.queries.audit({ ask: 'who', basis }, agent),
      await home.queries.audit({ ask: 'diff', from: '2025-01-01', to: basis }, agent),
      await home.queries.audit({ ask: 'belief', query, at, basis }, agent),
    ];
    for (const answer of answers) {
      expect(JSON.stringify(answer)).not.toContain('Lisbon');
      expect(answer).toMatchObject({ [since]: true });
    }
    const shown = await home.queries.history({ memory_id, basis }, reviewer);
    expect(shown.entries).toMatchObject([
      { content: first.content, status: 'current', quarantined_at: expect.any(String) },
    ]);
  });

  it('shows it again once it is released, and never once it is rejected', async () => {
    const { ask, then, judge } = await before();
    await judge('quarantine');
    const between = await ask(agent);
    await judge('release');
    expect((await ask(agent, { basis: then.basis })).items).toEqual(then.items);
    await judge('quarantine');
    await judge('reject');
    expect(await ask(agent, { basis: then.basis })).toMatchObject({ [since]: true });
    expect(JSON.stringify(await ask(agent, { basis: then.basis }))).not.toContain('Lisbon');
    expect(JSON.stringify(await ask(agent, { basis: between.basis }))).not.toContain('Lisbon');
  });

  it('is not changed by what is laid aside since', async () => {
    const { memory_id, ask, then } = await before();
    await home.commands.forget({ memory_id, mode: 'archive', reason: 'old' }, agent);
    const again = await ask(agent, { basis: then.basis });
    expect(again.items).toEqual(then.items);
    expect(again).not.toHaveProperty(since);
  });

  it('tells no one what took its place what it said', async () => {
    const { memory_id, ask, judge } = await before();
    await judge('quarantine');
    await judge('reject');
    await home.commands.write({ ...first, content: 'invoices are paid by cheque' }, agent);
    const now = await ask(agent);
    expect(now.items.map(({ id }) => id)).toContain(memory_id);
    expect(JSON.stringify(now)).not.toContain('Lisbon');
    expect(JSON.stringify(await ask(agent, { include: anything }))).not.toContain('Lisbon');
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
    expect(await found(agent, anything)).toEqual([[2, 'retracted']]);
    expect(JSON.stringify(await home.queries.history({ memory_id }, agent))).not.toContain('Lisbon');
    expect((await found(reviewer, anything)).sort()).toEqual([
      [1, 'superseded'],
      [2, 'retracted'],
    ]);
    await expect(home.commands.restore({ memory_id, reason: 'mine' }, agent)).rejects.toMatchObject({
      code: 'forbidden',
    });
  });
});
