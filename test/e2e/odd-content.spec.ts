import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BuiltServer, startServer, temporaryHome } from '#test/support/built-server.js';

const home = temporaryHome();
let server: BuiltServer;
beforeAll(async () => {
  server = await startServer(home.path);
});
afterAll(async () => {
  await server.close();
  home.remove();
});

/** Writes, reads the history back from the server, and gives what came out. */
async function roundTrip(content: unknown): Promise<unknown> {
  const written = await server.call('memory_write', { content });
  expect(written.isError, written.text).toBe(false);
  const history = await server.call('memory_history', { memory_id: written.structured.memory_id });
  return (history.structured.entries as { content: unknown }[])[0]?.content;
}

describe('content comes back exactly', () => {
  it.each([
    ['NUL and control characters', 'before\u0000after\u0007\u001b[31m'],
    ['a lone surrogate', 'broken \ud800 emoji'],
    ['emoji and joined families', '👩‍👩‍👧‍👦 shipped 🚀'],
    ['right to left', 'שלום עולם ومرحبا'],
    ['binary-looking bytes', Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).join('')],
    ['Chinese with English', '把MySQL 8.0迁移到PostgreSQL'],
    ['whitespace only inside', 'a\n\n\tb'],
    ['exactly 64 KiB', 'x'.repeat(64 * 1024)],
    [
      'an object',
      { decision: 'use PostgreSQL', reasons: ['JSON', 'vectors'], weight: 0.5, nested: { deep: [1, null, true] } },
    ],
    ['an object with odd names', { '': 'empty', 'a.b': 1, constructor: 'x' }],
    ['an object with a member named __proto__', JSON.parse('{"__proto__": {"x": [{"__proto__": 1}]}, "y": 2}')],
  ])('%s', async (_name, content) => {
    expect(await roundTrip(content)).toEqual(content);
  });
});

describe('bad input gets an error that says what was wrong and what is accepted, and the connection lives', () => {
  it.each([
    ['no content', {}, /content/],
    ['empty content', { content: '' }, /content/],
    ['content over the limit', { content: 'x'.repeat(64 * 1024 + 1) }, /64 KiB/],
    ['metadata over the limit', { content: 'a', metadata: { m: 'x'.repeat(17 * 1024) } }, /16 KiB/],
    ['too many tags', { content: 'a', tags: Array.from({ length: 65 }, (_, n) => `t${n}`) }, /64/],
    ['an unknown parameter', { content: 'a', importence: 1 }, /importence[\s\S]*importance/],
    ['an unknown kind', { content: 'a', kind: 'fact' }, /kind[\s\S]*semantic/],
    ['a date that does not exist', { content: 'a', valid_from: '2026-02-30' }, /valid_from[\s\S]*2026-02-30/],
    ['a date in words', { content: 'a', occurred_at: 'yesterday' }, /occurred_at[\s\S]*yesterday[\s\S]*ISO 8601/],
    [
      'an interval that ends before it starts',
      { content: 'a', valid_from: '2026-02-02', valid_to: '2026-02-01' },
      /valid_to/,
    ],
    ['importance beyond 1', { content: 'a', importance: 7 }, /importance/],
    ['a time to live in words', { content: 'a', ttl: 'a while' }, /ttl[\s\S]*a while/],
    ['content and items', { content: 'a', items: [{ content: 'b' }] }, /items/],
    ['501 items', { items: Array.from({ length: 501 }, () => ({ content: 'b' })) }, /500/],
    ['a memory that is not there', { content: 'a', memory_id: '01890000-0000-7000-8000-000000000000' }, /memory/],
  ])('%s', async (_name, args, said) => {
    const answer = await server.call('memory_write', args);
    expect(answer.isError).toBe(true);
    expect(answer.text).toMatch(said);
  });

  it('names the parameter of a search too', async () => {
    const answer = await server.call('memory_search', { query: 'x', top_k: 1000 });
    expect(answer.isError).toBe(true);
    expect(answer.text).toMatch(/top_k[\s\S]*100/);
  });

  it('refuses a basis that is none, and a basis with as_of', async () => {
    expect((await server.call('memory_search', { query: 'x', basis: 'nonsense' })).text).toMatch(/basis/);
    const { structured } = await server.call('memory_search', { query: 'x' });
    const both = await server.call('memory_search', { query: 'x', basis: structured.basis, as_of: '2026-01-01' });
    expect(both.isError).toBe(true);
    expect(both.text).toMatch(/as_of/);
  });

  it('keeps the good items of a batch with a bad one', async () => {
    const answer = await server.call('memory_write', {
      items: [{ content: 'first of three' }, { content: 'second', valid_from: 'soon' }, { content: 'third of three' }],
    });
    expect((answer.structured.items as { status: string }[]).map((each) => each.status)).toEqual([
      'stored',
      'error',
      'stored',
    ]);
  });

  it('still answers', async () => {
    expect((await server.call('memory_stats', {})).isError).toBe(false);
  });
});
