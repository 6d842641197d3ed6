import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { ParityCases } from '../parity-case.js';

interface Written {
  readonly memory_id: string;
}
interface Rated {
  readonly status: string;
  readonly weight: number;
  readonly basis: string;
}

export const feedback: ParityCases = {
  async 'counts a rating once per answer, takes another in its place, and tells who gave it'(scene) {
    const client = await scene.clientOf(
      await scene.token({ bank: 'kilns', name: 'potter', roles: 'reader,writer,auditor' }),
    );
    const { memory_id } = await client.ask<Written>('memory_write', { content: 'the kiln fires at 1,240 degrees' });
    const { recall_id } = await client.ask<{ recall_id: string }>('memory_search', { query: 'kiln degrees' });
    const rate = (outcome: string, more: object = {}) =>
      client.ask<Rated>('memory_feedback', { memory_id, outcome, recall_id, ...more });
    const first = await rate('useful', { note: 'the glaze came out right' });
    expect(first).toMatchObject({ status: 'rated', memory_id, version: 1 });
    expect(await rate('useful')).toMatchObject({ status: 'unchanged', weight: first.weight });
    const turned = await rate('wrong');
    expect(turned.weight).toBeLessThan(0);
    // A crash may have lost the record of an answer: its id is taken as it is.
    expect(await rate('success', { recall_id: randomUUID() })).toMatchObject({ status: 'rated' });
    const { entries } = await client.ask<{ entries: object[] }>('memory_history', { memory_id });
    expect(entries).toMatchObject([
      { event: 'recorded' },
      { event: 'rated', outcome: 'useful', version: 1, why: 'the glaze came out right' },
      { event: 'rated', outcome: 'wrong' },
      { event: 'rated', outcome: 'success' },
    ]);
    expect(await client.ask('memory_history', { memory_id, basis: first.basis })).toMatchObject({
      entries: [{ event: 'recorded' }, { event: 'rated', outcome: 'useful' }],
    });
    expect(await client.ask('memory_audit', { ask: 'who', memory_id })).toMatchObject({
      rows: [{ change: 'added' }, { change: 'rated', outcome: 'useful' }, { outcome: 'wrong' }, { outcome: 'success' }],
    });
  },

  async 'is about a version, and is given of what was forgotten too'({ client }) {
    const slot = (content: string) => ({ content, key: 'kiln.shelf' });
    const { memory_id } = await client.ask<Written>('memory_write', slot('the kiln has two shelves'));
    expect(await client.ask('memory_feedback', { memory_id, outcome: 'wrong' })).toMatchObject({ version: 1 });
    await client.ask('memory_write', slot('the kiln has three shelves'));
    const anew = await client.ask<Rated>('memory_feedback', { memory_id, outcome: 'useful' });
    expect(anew).toMatchObject({ status: 'rated', version: 2 });
    expect(anew.weight).toBeGreaterThan(0);
    await client.ask('memory_forget', { memory_id, reason: 'the kiln was sold' });
    expect(await client.ask('memory_feedback', { memory_id, outcome: 'failure', version: 1 })).toMatchObject({
      status: 'rated',
      version: 1,
    });
    expect(await client.ask('memory_search', { query: 'kiln shelves' })).toMatchObject({ items: [] });
  },

  async 'says what is wrong with a rating'({ client }) {
    const { memory_id } = await client.ask<Written>('memory_write', { content: 'the wheel turns to the left' });
    const refused = async (given: object) =>
      (await client.call('memory_feedback', { memory_id, outcome: 'useful', ...given })).text.split('\n')[0];
    expect(await refused({ outcome: 'good' })).toMatch(/^invalid_input: outcome is "good"/);
    expect(await refused({ recall_id: 'the last one' })).toMatch(/^invalid_input: recall_id is "the last one"/);
    expect(await refused({ version: 4 })).toMatch(
      /^invalid_input: version is 4; the latest version of memory \S+ is 1/,
    );
    expect(await refused({ memory_id: '01985f00-0000-7000-8000-00000000abcd' })).toMatch(/^memory_not_found/);
    expect(await refused({ weight: 1 })).toMatch(/^unknown_parameter/);
  },
};
