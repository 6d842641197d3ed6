import { expect } from 'vitest';
import type { ParityCases } from '../parity-case.js';

const nobody = '01890000-0000-7000-8000-000000000000';

/** Each with a word of what it is told. */
export const badCalls: readonly (readonly [tool: string, args: Record<string, unknown>, told: RegExp])[] = [
  ['memory_write', {}, /content/],
  ['memory_write', { content: '' }, /content/],
  ['memory_write', { content: 'x'.repeat(64 * 1024 + 1) }, /64 KiB/],
  ['memory_write', { content: 'a', importence: 1 }, /importence[\s\S]*importance/],
  ['memory_write', { content: 'a', kind: 'fact' }, /semantic/],
  ['memory_write', { content: 'a', valid_from: '2026-02-30' }, /2026-02-30/],
  ['memory_write', { content: 'a', valid_from: '2026-02-02', valid_to: '2026-02-01' }, /valid_to/],
  ['memory_write', { content: 'a', ttl: 'a while' }, /a while/],
  ['memory_write', { content: 'a', items: [{ content: 'b' }] }, /items/],
  ['memory_write', { items: Array.from({ length: 501 }, () => ({ content: 'b' })) }, /500/],
  ['memory_write', { content: 'a', memory_id: nobody }, /memory_not_found/],
  ['memory_write', { content: 'a', memory_id: 'nonsense' }, /nonsense/],
  ['memory_write', { content: 'a', metadata: { m: '字'.repeat(17 * 1024) } }, /16 KiB/],
  ['memory_write', { content: 'a', tags: Array.from({ length: 65 }, (_, at) => `t${at}`) }, /64/],
  ['memory_search', { query: 'x', top_k: 1000 }, /top_k/],
  ['memory_search', { query: 'x', as_of: 'yesterday' }, /yesterday/],
  ['memory_search', { query: 'x', valid_at: '2026-01-01', valid_during: { from: '2026-01-01' } }, /valid_during/],
  ['memory_search', { query: 'x', basis: 'nonsense' }, /invalid_basis/],
  ['memory_search', { query: 'x', basis: 'b1.nonsense' }, /invalid_basis/],
  ['memory_search', { query: 'x', include: ['erased'] }, /include/],
  ['memory_forget', { memory_id: nobody, reason: 'x' }, /memory_not_found/],
  ['memory_forget', { reason: 'x' }, /filter/],
  ['memory_forget', { filter: {}, reason: 'x' }, /filter/],
  ['memory_forget', { memory_id: nobody, filter: { tags: ['x'] }, reason: 'x' }, /filter/],
  ['memory_forget', { filter: { tags: ['draft'] }, reason: 'x', confirm: 'nonsense' }, /confirm/],
  ['memory_restore', { memory_id: nobody, reason: 'x' }, /memory_not_found/],
  ['memory_history', {}, /key/],
  ['memory_history', { key: 'no.such.slot' }, /no\.such\.slot/],
  ['memory_history', { memory_id: nobody, key: 'both' }, /both|either/i],
  // PostgreSQL takes no NUL in text.
  ['memory_history', { memory_id: 'a\0b' }, /memory_not_found/],
  ['memory_forget', { memory_id: 'a\0b', reason: 'x' }, /memory_not_found/],
  ['memory_restore', { memory_id: 'a\0b', reason: 'x' }, /memory_not_found/],
  ['memory_write', { content: 'a', memory_id: 'a\0b' }, /memory_not_found/],
];

export const badInput: ParityCases = {
  async 'says word for word the same of bad input, and goes on'({ client }) {
    for (const [tool, args, told] of badCalls) {
      const answer = await client.call(tool, args);
      expect(answer.isError, `${tool} ${JSON.stringify(args).slice(0, 200)}: ${answer.text}`).toBe(true);
      expect(answer.text).toMatch(told);
    }
    const { basis } = await client.ask<{ basis: string }>('memory_search', { query: 'x' });
    const both = await client.call('memory_search', { query: 'x', basis, as_of: '2026-01-01' });
    expect(both.text).toMatch(/as_of/);
    await client.ask('memory_stats', {});
  },
};
