import { describe, expect, it } from 'vitest';
import type { AuditOutput, Reading } from '#contract/audit.js';
import type { MemoryItem } from '#contract/memory-item.js';
import { createOutput } from '../output.js';
import { renderBelief } from './render-belief.js';

const item: MemoryItem = {
  id: 'm1',
  version: 2,
  kind: 'semantic',
  content: '登录服务由平台组负责',
  status: 'superseded',
  key: 'login.owner',
  tags: [],
  source: { principal: 'os:ada', origin: 'user' },
  importance: 0.5,
  confidence: 1,
  trust: 1,
  recorded_at: '2026-03-01T00:00:00.000Z',
  valid_from: '2026-03-01T00:00:00.000Z',
  valid_to: '2026-04-01T00:00:00.000Z',
  system_from: '2026-03-01T00:00:00.000Z',
  score: 0.5,
};
const reading = (title: string, ...items: MemoryItem[]): Reading => ({
  title,
  items,
  basis: 'b',
  as_of: '2026-05-01T00:00:00.000Z',
  valid_at: '2026-05-01T00:00:00.000Z',
});
const found = {
  readings: {
    true_now: reading('现在的事实'),
    true_then: reading('那时的事实', item),
    answered_then: reading('那时的回答', { ...item, source: { ...item.source, external_id: '7' } }),
  },
  because: ['三种读法一致。'],
  notes: [],
  basis: 'b',
} as unknown as AuditOutput;
const out = { ...createOutput(false), width: 80, style: (_: unknown, text: string) => text };

describe('three readings', () => {
  it('asked in Chinese are Chinese throughout, but for ids and names', () => {
    const text = renderBelief(found, out, 'zh');
    expect(text).toContain('  （无）');
    expect(text).toContain(
      '已被取代 · 语义记忆 · 键 login.owner · 有效期 2026-03-01 至 2026-04-01 · 2026-03-01 由 os:ada 写入 · 得分 0.50',
    );
    expect(text).toContain('由 os:ada 导入');
    expect(text).toContain('编号 m1，第 2 版');
    const names = /login\.owner|os:ada|m1|依据 b/g;
    expect(text.replaceAll(names, '')).not.toMatch(/[A-Za-z]/);
  });

  it('asked in English are English', () => {
    const text = renderBelief(found, out, 'en');
    expect(text).toContain(
      'SUPERSEDED · semantic · key login.owner · true from 2026-03-01 to 2026-04-01 · written 2026-03-01 by os:ada · score 0.50',
    );
    expect(text).toContain('imported 2026-03-01 by os:ada');
    expect(text).toContain('id m1, version 2');
    expect(text).toContain('  (nothing)');
  });
});
