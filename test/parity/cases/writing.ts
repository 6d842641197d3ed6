import { expect } from 'vitest';
import type { ParityCases } from '../parity-case.js';

interface Written {
  readonly memory_id: string;
  readonly version: number;
  readonly status: string;
}
interface Found {
  readonly items: readonly { readonly content: unknown; readonly version: number; readonly id: string }[];
}

export const writing: ParityCases = {
  async 'finds at once what was written, and its revision instead of it'({ client }) {
    for (const [at, content] of ['the cache is Memcached', 'the cache is Redis', 'the cache is Valkey'].entries()) {
      const written = await client.ask<Written>('memory_write', { content, key: 'project.cache', tags: ['infra'] });
      expect(written).toMatchObject({ status: 'stored', version: at + 1 });
      const found = await client.ask<Found>('memory_search', { query: 'which cache', explain: true });
      expect(found.items.map((item) => item.content)).toEqual([content]);
    }
    await client.ask('memory_history', { key: 'project.cache' });
  },

  async 'revises by id, and only from the version that was said'({ client }) {
    const { memory_id } = await client.ask<Written>('memory_write', { content: 'the office is in Bern' });
    const revision = { memory_id, content: 'the office is in Basel', if_version: 1 };
    expect(await client.ask('memory_write', revision)).toMatchObject({ status: 'stored', version: 2 });
    const late = await client.ask('memory_write', { ...revision, content: 'the office is in Biel' });
    expect(late).toMatchObject({ status: 'conflict', version: 2 });
    const fresh = { content: 'only if new', key: 'fresh.slot', if_version: 0 };
    expect(await client.ask('memory_write', fresh)).toMatchObject({ status: 'stored', version: 1 });
    expect(await client.ask('memory_write', { ...fresh, content: 'again' })).toMatchObject({ status: 'conflict' });
    expect(await client.ask('memory_write', { content: 'only if new', key: 'fresh.slot' })).toMatchObject({
      status: 'unchanged',
    });
    await client.ask('memory_history', { memory_id });
  },

  async 'answers a retry as it did at first, also after all of it was killed'(scene) {
    const { client } = scene;
    const write = { content: 'rotate the certificate in May', idempotency_key: 'certificate-1' };
    const first = await client.ask<Written>('memory_write', write);
    expect(await client.ask('memory_write', write)).toMatchObject({ ...first, basis: expect.any(String) });
    const other = await client.call('memory_write', { ...write, content: 'rotate it in June' });
    expect(other.text).toMatch(/^idempotency_key_reused/);
    const forget = { memory_id: first.memory_id, reason: 'done', idempotency_key: 'certificate-2' };
    const forgotten = await client.ask('memory_forget', forget);
    await scene.restart();
    const { basis: _basis, ...same } = first as Written & { basis: string };
    expect(await client.ask('memory_write', write)).toMatchObject(same);
    expect(await client.ask('memory_forget', forget)).toMatchObject({ status: forgotten.status });
    expect((await client.ask<Found>('memory_search', { query: 'rotate certificate' })).items).toEqual([]);
  },

  async 'takes 500 memories at once, each with an outcome of its own'({ client }) {
    const items = Array.from({ length: 500 }, (_, at) =>
      at % 50 === 7
        ? { content: `crate ${at}`, valid_from: 'soon' }
        : { content: `crate number${at} of the cargo`, ...(at % 10 === 0 ? { key: `crate.${at % 200}` } : {}) },
    );
    const { items: outcomes } = await client.ask<{ items: Written[] }>('memory_write', { items });
    const count = (status: string) => outcomes.filter((outcome) => outcome.status === status).length;
    expect([outcomes.length, count('stored'), count('error')]).toEqual([500, 490, 10]);
    expect(outcomes[400]).toMatchObject({ version: 3, superseded: 2 });
    for (const number of [1, 251, 499]) {
      const { items: found } = await client.ask<Found>('memory_search', { query: `cargo number${number}`, top_k: 1 });
      expect(found).toMatchObject([{ content: `crate number${number} of the cargo` }]);
    }
  },

  async 'reads Chinese and English alike, alone and together'({ client }) {
    const items = [
      { content: '支付网关的超时时间是三秒', tags: ['支付'], subjects: ['李雷'] },
      { content: '把MySQL 8.0迁移到PostgreSQL，由韩梅梅负责', key: '数据库.迁移' },
      { content: 'The payment gateway (支付网关) is owned by Li Lei', metadata: { 团队: '支付组' } },
    ];
    await client.ask('memory_write', { items });
    for (const query of ['支付网关', '迁移 PostgreSQL', 'payment 网关 owner', '超时']) {
      const { items: found } = await client.ask<Found>('memory_search', { query, explain: true });
      expect(found.length, query).toBeGreaterThan(0);
    }
    expect(await client.ask('memory_search', { query: '网关', subject: '李雷' })).toMatchObject({
      items: [{ content: items[0]!.content }],
    });
    await client.ask('memory_history', { key: '数据库.迁移' });
  },

  async 'keeps what is odd as it is'({ client }) {
    const odd = [
      'before\u0000after\u0007',
      'broken \ud800 surrogate',
      { '': 1, nested: [null, { __proto__x: 2.5e-9 }], ключ: 'שלום' },
      '👩‍👩‍👧‍👦 '.repeat(50),
    ];
    for (const content of odd) {
      const { memory_id } = await client.ask<Written>('memory_write', { content, metadata: { content } });
      expect(await client.ask('memory_history', { memory_id })).toMatchObject({ entries: [{ content }] });
    }
  },

  async 'finds by a picture what holds it, and nothing where nothing is said'({ client }) {
    const { memory_id } = await client.ask<{ memory_id: string }>('memory_write', { content: 'we went by 🛶 again' });
    await client.ask('memory_write', { content: 'rowing is for Sundays', tags: ['🏇🏽'] });
    expect(await client.ask('memory_search', { query: '🛶' })).toMatchObject({ items: [{ id: memory_id }] });
    expect(await client.ask('memory_search', { query: '🏇' })).toMatchObject({ items: [{ tags: ['🏇🏽'] }] });
    for (const query of ['🦔', '?', '……'])
      expect(await client.ask('memory_search', { query, min_score: 0 })).toMatchObject({ items: [] });
  },
};
